# What _compile.pyx gives to the other compiled modules.
from sitoumus.engine.tables cimport CKind, CRules
from sitoumus.engine.solver.tables cimport COpening

cdef class Rules:
    cdef CRules r
    cdef COpening opening            # r.opening points here
    cdef readonly object source      # the RuleSet
    cdef readonly tuple seats        # names in play order
    cdef readonly tuple sides
    cdef _compile_table(self, s)
    cdef _compile_points(self, s)
    cdef _compile_pile(self, s)
    cdef _compile_melds(self, s)
    cdef _compile_kind(self, int i, kind)
    cdef _compile_set(self, CKind* k, kind, int most)
    cdef _compile_runs(self, int i, kind)
    cdef _compile_end(self, s)


cdef Rules _rules(source)

"""Where the libraries of the environments are not installed, pytest does not look for examples in what needs them."""

from importlib.util import find_spec

_NEEDED = {"pettingzoo": "pettingzoo", "gymnasium": "gymnasium", "openspiel": "pyspiel"}
collect_ignore = [f"src/sitoumus/envs/{name}.py" for name, library in _NEEDED.items() if find_spec(library) is None]

"""Bad input is refused with one sentence that quotes it, says where it stands and what would be right.

Positions that the notation refuses are in test_position.py, records that do not replay in test_record.py.
"""

"""The jobs of `parallel.py`."""

SUBJECT = "the device for browsers"
JOBS = [
    ["test_every_screen"],
    ["test_profile"],
    [],
    ["test_screens", "test_keyboard"],
    ["test_ways_out", "test_navigation"],
    ["test_notifications"],
    ["test_build", "test_argon2", "test_reader"],
    ["test_full_disk", "test_other_browsers", "test_picture"],
]

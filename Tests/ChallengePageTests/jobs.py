"""The jobs of `parallel.py`."""

SUBJECT = "the challenge page"
JOBS = [["test_timeout"], ["test_purchase"], [], ["test_shop_names", "test_web_device"]]

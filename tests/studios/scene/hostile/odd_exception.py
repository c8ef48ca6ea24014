class Odd(Exception):
    __name__ = None

    def __getattribute__(self, name):
        raise self

    def __str__(self):
        raise self

    def __repr__(self):
        raise self


try:
    raise Odd
except Exception:
    raise Odd

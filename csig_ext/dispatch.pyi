compiler: str
portable: bool
built: tuple[str, ...]
available: tuple[str, ...]
chosen: str

def number(isa: str | None = None) -> int: ...

from tests.missions.seedfile.refused import errors_of


def test_file_that_is_missing_or_no_text_is_an_error(books):
    (books / "damned.toml").unlink()
    (books / "animus.toml").write_bytes(b"\xff\xfe")
    for stem in ("damned", "animus"):
        (error,) = errors_of(books, stem)
        assert error.startswith(f"seeds/{stem}.toml: cannot be read as UTF-8 text")

from pathlib import Path

from bot.platforms.page_files import PageFiles


def held(path: Path) -> dict[str, str]:
    return {"name": path.name, "path": str(path), "media_type": "text/csv", "title": ""}


def test_hands_out_files_of_its_folder_only(tmp_path: Path) -> None:
    answers, secret = tmp_path / "answers", tmp_path / "secret.csv"
    answers.mkdir()
    secret.write_text("secret")
    inside, link = answers / "a.csv", answers / "link.csv"
    inside.write_text("x")
    link.symlink_to(secret)
    files = PageFiles(answers)

    handed = [
        files.get(held(path)) is not None
        for path in (inside, link, secret, answers / ".." / "secret.csv", answers)
    ]

    assert handed == [True, False, False, False, False]


def test_a_file_that_became_a_link_is_no_longer_handed_out(tmp_path: Path) -> None:
    (tmp_path / "answers").mkdir()
    path, secret = tmp_path / "answers" / "a.csv", tmp_path / "secret.csv"
    path.write_text("x")
    secret.write_text("secret")
    files = PageFiles(tmp_path / "answers")
    assert files.may_hand_out(held(path))

    path.unlink()
    path.symlink_to(secret)

    assert not files.may_hand_out(held(path))
    assert files.get(held(path)) is None

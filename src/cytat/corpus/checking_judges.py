"""Settings + statements that people have judged -> how far the judge they name agrees."""

from pathlib import Path

from cytat.config import Settings
from cytat.corpus.models import open_judge
from cytat.errors import SettingsError
from cytat.evaluation import Judge, agreement, read_labelled
from cytat.records import JudgeAgreement


def check_judge(settings: Settings, labels: Path) -> JudgeAgreement:
    """Return how far the judge agrees with the labels; no corpus is needed."""
    generator = open_judge(settings)
    if generator is None:
        raise SettingsError("no judge is named", hint="name one: --judge NAME, or CYTAT_JUDGE")
    judge = Judge(generator)
    found = tuple(agreement(judge, read_labelled(labels)))
    unreadable = sum(one.not_measured for one in found if one.name == "agreement")
    notes = (
        (f"{unreadable} replies of the judge were neither yes nor no and are left out.",)
        if unreadable
        else ()
    )
    return JudgeAgreement(judge.fingerprint, found, notes)

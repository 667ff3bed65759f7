"""What a sign-in still needs, and which factor may be removed."""

import pytest

from project.doors import rules
from project.doors.rules import Door, Factor, FactorRequired, Missing
from project.identity.models import SecondFactor

CODE, PASSKEY = (Factor.CODE,), (Factor.PASSKEY,)


@pytest.mark.parametrize(
    ("door", "need", "has_code", "has_passkey", "code_given", "expected"),
    [
        (Door.PASSWORD, "none", False, False, False, None),
        (Door.PASSWORD, "none", False, True, False, None),
        (Door.PASSWORD, "none", True, False, False, Missing(CODE)),
        (Door.PASSWORD, "none", True, False, True, None),
        (Door.PASSWORD, "none", True, True, False, Missing((Factor.CODE, Factor.PASSKEY))),
        (Door.PASSWORD, "any", False, False, False, Missing(enrolls=(Factor.CODE, Factor.PASSKEY))),
        (Door.PASSWORD, "any", False, True, False, Missing(PASSKEY)),
        (Door.PASSWORD, "any", True, False, False, Missing(CODE)),
        (Door.PASSWORD, "any", True, False, True, None),
        (Door.PASSWORD, "passkey", False, False, False, Missing(enrolls=PASSKEY)),
        (Door.PASSWORD, "passkey", False, True, False, Missing(PASSKEY)),
        (Door.PASSWORD, "passkey", True, False, False, Missing(CODE)),
        (Door.PASSWORD, "passkey", True, False, True, Missing(enrolls=PASSKEY)),
        (Door.PASSWORD, "passkey", True, True, True, Missing(PASSKEY)),
        (Door.COMPANY, "none", True, True, False, None),
        (Door.COMPANY, "any", False, False, False, None),
        (Door.COMPANY, "passkey", True, False, False, Missing(enrolls=PASSKEY)),
        (Door.COMPANY, "passkey", False, True, False, Missing(PASSKEY)),
        (Door.PASSKEY, "passkey", False, True, False, None),
        (Door.PASSKEY, "any", True, True, False, None),
    ],
)
def test_what_a_sign_in_still_needs(
    door: Door, need: str, has_code: bool, has_passkey: bool, code_given: bool, expected: Missing | None
) -> None:
    found = rules.missing(door, SecondFactor(need), has_code=has_code, has_passkey=has_passkey, code_given=code_given)
    assert found == expected


@pytest.mark.parametrize(
    ("need", "codes_left", "passkeys_left", "stays"),
    [
        ("none", False, False, True),
        ("any", False, False, False),
        ("any", True, False, True),
        ("any", False, True, True),
        ("passkey", True, False, False),
        ("passkey", False, True, True),
    ],
)
def test_last_factor_that_is_enough_stays(need: str, codes_left: bool, passkeys_left: bool, stays: bool) -> None:
    def check() -> None:
        rules.check_removal(SecondFactor(need), codes_left=codes_left, passkeys_left=passkeys_left)

    if stays:
        check()
    else:
        with pytest.raises(FactorRequired):
            check()


@pytest.mark.parametrize(
    ("needs", "expected"),
    [([], "none"), (["none", "any"], "any"), (["passkey", "any"], "passkey"), (["any", "passkey", "none"], "passkey")],
)
def test_the_strictest_role_counts(needs: list[str], expected: str) -> None:
    assert rules.strictest([SecondFactor(one) for one in needs]) == expected

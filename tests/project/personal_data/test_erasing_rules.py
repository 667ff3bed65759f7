"""The rules of erasures: when a person may be erased, and how their names are found in texts. No database."""

from decimal import Decimal
from typing import Any

import pytest

from project.personal_data.rules import Names, StillOwed, check_paid, forms_of


def test_person_who_is_owed_money_cannot_be_erased() -> None:
    check_paid(Decimal("0.00"), "MXN")
    for amount, currency, owed in (
        (Decimal("1012.500"), "MXN", "1,012.50 MXN"),
        (Decimal("-0.01"), "MXN", "-0.01 MXN"),
        (Decimal("1012.000"), "CLP", "1,012 CLP"),
    ):
        with pytest.raises(StillOwed) as refused:
            check_paid(amount, currency)
        assert refused.value.params == {"amount": float(amount), "currency": currency, "owed": owed}
        assert owed in refused.value.as_json()["message"]


@pytest.mark.parametrize(
    ("written", "without"),
    [
        ("Preguntar a Álvaro Íñiguez.", "Preguntar a #7."),
        ("ÁLVARO ÍÑIGUEZ, álvaro íñiguez", "#7, #7"),
        ("De Álvaro Íñiguez Ruiz", "De #7"),
        ("a: alvaro@obrador.test", "a: #7"),
        ("Álvaro Íñiguezales", "Álvaro Íñiguezales"),
        ("MÁlvaro Íñiguez", "MÁlvaro Íñiguez"),
        ("alvaro@obrador.tests", "alvaro@obrador.tests"),
        ("alvaro@obradorxtest", "alvaro@obradorxtest"),
        ("álvaro", "#7"),
        ("Álvaro Ruiz", "Álvaro Ruiz"),
        ("de Alvaro  Iniguez, hoy", "de #7, hoy"),
        ("Álvaro\u00a0Íñiguez\u200b Ruiz.", "#7."),
        ("A\u0301lvaro I\u0301n\u0303iguez\u0301.", "#7."),
        ("Íñiguez, Álvaro: sí", "#7: sí"),
        ("ÍÑIGUEZ ÁLVARO", "#7"),
        ("Íñiguez; Álvaro", "Íñiguez; Álvaro"),
        ("", ""),
        (None, None),
        (7, 7),
        ({"Álvaro": "Álvaro", "rest": ["Álvaro", 1]}, {"Álvaro": "#7", "rest": ["#7", 1]}),
        ('{"by": "Álvaro"}', '{"by":"#7"}'),
        ('["Álvaro", "ñ"]', '["#7","ñ"]'),
        ('{"by":  "Ana"}', '{"by":  "Ana"}'),
        ('{"by": "Álvaro Íñiguez"', '{"by": "#7"'),
        ("[Álvaro Íñiguez", "[#7"),
    ],
)
def test_full_names_are_replaced_anywhere_and_single_words_only_as_the_whole_text(written: Any, without: Any) -> None:
    known = ["Álvaro Íñiguez", "Íñiguez Álvaro", "alvaro@obrador.test", "Álvaro", "Álvaro Íñiguez Ruiz"]
    names = Names(known, instead="#7")
    assert names.replaced(written) == without


def test_single_word_name_is_not_replaced_within_a_text() -> None:
    assert Names(["Lupe"], instead="#8").replaced("Lupe vino. (?!)") == "Lupe vino. (?!)"


def test_names_are_searched_by_their_words_as_stored_in_columns_and_json() -> None:
    names = Names(["Íñigo Ruiz", "Íñigo Ruiz Paz", "Ruiz Íñigo", "inigo@obrador.test", 'Ana "Ñ"'], instead="#8")
    assert names.parts == [frozenset({'"n"', "ana"}), frozenset({"inigo", "ruiz"}), frozenset({"inigo@obrador.test"})]
    escaped = names.escaped
    assert escaped["inigo"] == {
        *(r"\u00ed\u00f1igo", r"\u00cd\u00d1IGO", r"\u00cd\u00f1igo"),
        *(r"i\u0301n\u0303igo", r"I\u0301N\u0303IGO", r"I\u0301n\u0303igo"),
    }
    assert {r"\"ñ\"", r"\"\u00f1\""} <= escaped['"n"']
    assert escaped["ruiz"] == set()


def test_forms_of_a_name_omit_the_second_last_name_and_put_last_names_first() -> None:
    assert forms_of("María José", "Íñiguez", "Ruiz") == {
        "María José Íñiguez Ruiz",
        "María José Íñiguez",
        "Íñiguez Ruiz María José",
        "Íñiguez María José",
    }
    assert forms_of("Lupe", "Ríos", "") == {"Lupe Ríos", "Ríos Lupe"}
    assert forms_of("Lupe", "", "") == {"Lupe"}

"""Rules of notices: channels, sections of the digest, quiet hours over midnight, and the pace of pushes and mails."""

from datetime import UTC, datetime, time, timedelta

import pytest

from project.notices.rules import (
    CALM,
    CHANNELS,
    DEFAULTS,
    IN_DIGEST,
    KIND_OF_NOTIFICATION,
    OF_PERSON,
    SECTIONS,
    NoticeChannel,
    NoticeKind,
    channels_of,
    due_at,
    is_held_back,
    is_quiet,
    pace_of,
    sections_of,
)

NOW = datetime(2026, 3, 2, 15, tzinfo=UTC)
SECOND, MINUTE, HOUR = timedelta(seconds=1), timedelta(minutes=1), timedelta(hours=1)
BELL, PUSH, MAIL = CHANNELS


@pytest.mark.parametrize(
    ("begins", "ends", "quiet"),
    [
        (time(20), time(7), {0, 1, 6, 20, 23}),
        (time(0), time(8), {0, 1, 6, 7}),
        (time(13), time(15), {13}),
        (None, None, set()),
        (time(7), time(7), set()),
    ],
)
def test_quiet_hours_include_their_begin_and_not_their_end(
    begins: time | None, ends: time | None, quiet: set[int]
) -> None:
    asked = {0, 1, 6, 7, 8, 12, 13, 15, 19, 20, 23}
    assert {hour for hour in asked if is_quiet(time(hour), begins, ends)} == quiet
    assert is_quiet(time(6, 59, 59), time(20), time(7))
    assert not is_quiet(time(19, 59, 59), time(20), time(7))
    assert not is_quiet(time(23), time(20), None)
    assert not is_quiet(time(23), None, time(7))


def test_a_kind_that_was_not_chosen_has_its_default_channels() -> None:
    assert channels_of({}) == DEFAULTS
    chosen = channels_of({"late": ["mail", "push"], "inside": []})
    assert chosen[NoticeKind.Late] == (PUSH, MAIL)
    assert chosen[NoticeKind.Inside] == ()
    assert chosen[NoticeKind.LikelyLate] == DEFAULTS[NoticeKind.LikelyLate]
    assert set(chosen) == set(NoticeKind)


def test_an_unknown_channel_of_a_newer_release_is_left_out() -> None:
    assert channels_of({"late": ["pigeon", "bell"], "unknown": ["bell"]})[NoticeKind.Late] == (BELL,)


@pytest.mark.parametrize(
    ("chosen", "digest", "sections"),
    [
        ({}, False, set()),
        ({}, True, SECTIONS),
        ({"late": ["mail"]}, False, {"late"}),
        ({"late": ["mail"], "likelyLate": ["bell", "mail"]}, False, {"late", "likely_late"}),
        ({"assigned": ["mail"]}, False, set()),
    ],
)
def test_the_digest_has_all_sections_or_those_of_mailed_kinds(
    chosen: dict[str, list[str]], digest: bool, sections: set[str]
) -> None:
    assert sections_of(channels_of(chosen), digest=digest) == sections


@pytest.mark.parametrize("kind", NoticeKind)
def test_every_kind_gathers_and_keeps_its_distance(kind: NoticeKind) -> None:
    waiting = {kind: NOW}
    for channel in (PUSH, MAIL):
        pace = pace_of(kind, channel)
        assert due_at(kind, channel, waiting=waiting, sent={}) == NOW + pace.gathers
        assert due_at(kind, channel, waiting=waiting, sent={kind: NOW}) == NOW + max(pace.gathers, pace.apart)
        assert due_at(kind, channel, waiting=waiting, sent={kind: NOW - 9 * HOUR}) == NOW + pace.gathers


def test_kinds_that_come_in_crowds_wait_for_each_other_and_hold_each_other_back() -> None:
    answer = NoticeKind.CustomerAnswer
    for kind in CALM:
        for other in CALM:
            assert due_at(kind, PUSH, waiting={kind: NOW}, sent={other: NOW}) == NOW + 6 * HOUR
            waiting = {kind: NOW} | ({other: NOW + HOUR} if other is not kind else {})
            assert due_at(kind, PUSH, waiting=waiting, sent={}) == max(waiting.values()) + MINUTE
        assert due_at(kind, PUSH, waiting={kind: NOW, answer: NOW + HOUR}, sent={answer: NOW}) == NOW + MINUTE
    waiting = {answer: NOW} | dict.fromkeys(CALM, NOW + HOUR)
    assert due_at(answer, PUSH, waiting=waiting, sent=dict.fromkeys(CALM, NOW)) == NOW + 5 * SECOND


@pytest.mark.parametrize("kind", NoticeKind)
def test_quiet_hours_hold_every_push_back_and_the_night_the_calm_ones(kind: NoticeKind) -> None:
    def held(hour: int, morning: int = 7) -> bool:
        return is_held_back(kind, time(hour), quiet=(time(12), time(14)), morning=time(morning))

    assert {hour for hour in range(24) if held(hour)} == {12, 13} | (set(range(7)) if kind in CALM else set())
    assert {hour for hour in range(24) if held(hour, morning=0)} == {12, 13}


def test_the_pace_of_each_push_is_that_of_the_page_of_rules() -> None:
    assert {kind: (pace_of(kind, PUSH).gathers, pace_of(kind, PUSH).apart) for kind in NoticeKind} == {
        NoticeKind.LikelyLate: (MINUTE, 6 * HOUR),
        NoticeKind.Late: (MINUTE, 6 * HOUR),
        NoticeKind.Inside: (MINUTE, 6 * HOUR),
        NoticeKind.Assigned: (30 * SECOND, 15 * MINUTE),
        NoticeKind.CustomerAnswer: (5 * SECOND, MINUTE),
        NoticeKind.ImportDone: (timedelta(0), timedelta(0)),
        NoticeKind.Message: (timedelta(0), 30 * SECOND),
    }
    assert {(pace_of(kind, MAIL).gathers, pace_of(kind, MAIL).apart) for kind in NoticeKind} == {(10 * MINUTE, HOUR)}


def test_the_tables_of_kinds() -> None:
    assert {
        NoticeKind.LikelyLate: (BELL, PUSH),
        NoticeKind.Late: (BELL, PUSH),
        NoticeKind.Inside: (BELL,),
        NoticeKind.Assigned: (PUSH,),
        NoticeKind.CustomerAnswer: (BELL, PUSH),
        NoticeKind.ImportDone: (BELL, PUSH),
        NoticeKind.Message: (BELL, PUSH),
    } == DEFAULTS
    assert (NoticeChannel.Bell, NoticeChannel.Push, NoticeChannel.Mail) == CHANNELS
    assert {NoticeKind.LikelyLate, NoticeKind.Late} == IN_DIGEST
    assert {NoticeKind.Assigned, NoticeKind.ImportDone, NoticeKind.Message} == OF_PERSON
    assert {NoticeKind.LikelyLate, NoticeKind.Late, NoticeKind.Inside} == CALM
    assert {
        "SalesOrderWithoutOutputProcess": NoticeKind.Inside,
        "SalesOrderDeliveryDateExpiring": NoticeKind.Late,
        "likelyLate": NoticeKind.LikelyLate,
        "customerAnswer": NoticeKind.CustomerAnswer,
    } == KIND_OF_NOTIFICATION
    assert {"late", "likely_late", "due_this_week", "to_approve", "to_bill"} == SECTIONS

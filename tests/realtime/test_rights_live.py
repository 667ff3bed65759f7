"""Changes of permissions and sessions reach open sockets."""

from typing import Any

import pytest

from project.access import token
from project.access.permissions import ALL, Permission
from project.access.principal import Principal
from project.identity import passwords, services
from project.identity.models import Role, RolePermission, User
from project.identity.schemas import RoleChange
from project.staffing import services as staffing
from project.staffing.schemas import UserChange
from realtime.hub import Hub
from tests.builders import person
from tests.realtime.clients import Client, in_database
from tests.realtime.conftest import Connect
from tests.realtime.samples import commit, line_moved

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("quick_passwords")]

PASSWORD = "Vieja.2026"


def administrator() -> Principal:
    return token.acting_as(person("jefa", *ALL).pk)


def shared_role(*actions: str) -> Role:
    role = Role.objects.create(name="Compartido")
    RolePermission.objects.bulk_create(RolePermission(role=role, action=action) for action in actions)
    return role


def with_role(name: str, role: Role, *own: str) -> User:
    user = person(name, *own)
    user.roles.add(role)
    return user


async def greeted(connect: Connect, *users: User) -> list[Client]:
    clients = [await connect(user) for user in users]
    for client in clients:
        assert (await client.frame())["type"] == "hello"
    return clients


async def next_types(client: Client, count: int) -> list[str]:
    return [frame["type"] for frame in await client.frames(count)]


def move() -> int:
    return commit(line_moved())


async def test_a_role_that_loses_a_permission_stops_its_events_only_for_users_who_lose_it(connect: Connect) -> None:
    jefa = await in_database(administrator)
    role = await in_database(lambda: shared_role(Permission.ListOrders))
    ana = await in_database(lambda: with_role("ana", role))
    leo = await in_database(
        lambda: with_role("leo", role, Permission.ListOrders)
    )  # holds it through another role as well
    eva = await in_database(lambda: person("eva", Permission.ListOrders))
    hers, his, other = await greeted(connect, ana, leo, eva)
    await in_database(
        lambda: services.role_change(role_id=role.pk, body=RoleChange.model_construct(permissions=[]), by=jefa)
    )
    number = await in_database(move)
    assert await next_types(hers, 1) == ["permissions.changed"]
    assert [(await client.frame())["id"] for client in (his, other)] == [number, number]
    assert await hers.silent()
    await in_database(
        lambda: services.role_change(
            role_id=role.pk, body=RoleChange.model_construct(permissions=[Permission.ListOrders]), by=jefa
        )
    )
    number = await in_database(move)
    assert await next_types(hers, 1) == ["permissions.changed"]
    assert [(await client.frame())["id"] for client in (hers, his, other)] == [number] * 3


async def test_a_deleted_role_and_a_role_taken_away_stop_events_on_every_tab(connect: Connect) -> None:
    jefa = await in_database(administrator)
    first = await in_database(lambda: shared_role(Permission.ListOrders))
    ana, leo = await in_database(lambda: (with_role("ana", first), person("leo", Permission.ListOrders)))
    tabs = await greeted(connect, ana, ana)
    (his,) = await greeted(connect, leo)
    await in_database(lambda: services.role_delete(role_id=first.pk, by=jefa))
    await in_database(
        lambda: staffing.user_change(user_id=leo.pk, body=UserChange.model_construct(role_ids=[]), by=jefa)
    )
    await in_database(move)
    for client in (*tabs, his):
        assert await next_types(client, 1) == ["permissions.changed"]
    assert await his.silent()


async def test_a_user_without_permissions_receives_events_after_the_first_is_granted(connect: Connect) -> None:
    jefa = await in_database(administrator)
    ivo = await in_database(lambda: person("ivo"))
    role = await in_database(lambda: shared_role(Permission.ListOrders))
    (client,) = await greeted(connect, ivo)
    await in_database(move)
    await in_database(
        lambda: staffing.user_change(user_id=ivo.pk, body=UserChange.model_construct(role_ids=[role.pk]), by=jefa)
    )
    assert await next_types(client, 1) == ["permissions.changed"]
    number = await in_database(move)
    assert (await client.frame())["id"] == number


@pytest.mark.parametrize(
    "fields",
    [{"locked": True}, {"active": False}, {"password": "Nueva.2026"}, None],
    ids=["lock", "off", "password", "gone"],
)
async def test_ending_the_sessions_of_an_account_closes_all_its_sockets_4401(
    connect: Connect, hub: Hub, fields: dict[str, Any] | None
) -> None:
    jefa, ana = await in_database(lambda: (administrator(), person("ana", Permission.ListOrders)))
    eva = await in_database(lambda: person("eva"))
    *tabs, other = await greeted(connect, ana, ana, eva)

    def end() -> None:
        if fields is None:
            staffing.user_delete(user_id=ana.pk, by=jefa)
        else:
            staffing.user_change(user_id=ana.pk, body=UserChange.model_construct(**fields), by=jefa)

    await in_database(end)
    for client in tabs:
        assert await next_types(client, 1) == ["session.ended"]
        assert await client.closed() == 4401
    assert await other.silent()
    assert hub.connected == 1


async def test_a_password_change_closes_every_tab_of_the_user_4401(connect: Connect) -> None:
    def with_password() -> User:
        user = person("ana", Permission.ChangePassword)
        user.set_password(PASSWORD)
        user.save()
        return user

    ana = await in_database(with_password)
    tabs = await greeted(connect, ana, ana)
    by = await in_database(lambda: token.acting_as(ana.pk))
    await in_database(
        lambda: passwords.password_change(
            user_id=ana.pk, current=PASSWORD, new="Nueva.2026", confirmation="Nueva.2026", address="", by=by
        )
    )
    for client in tabs:
        assert await next_types(client, 1) == ["session.ended"]
        assert await client.closed() == 4401


async def test_a_password_reset_by_mail_closes_every_tab_of_the_user_4401(connect: Connect) -> None:
    ana = await in_database(lambda: person("ana"))
    (client,) = await greeted(connect, ana)
    link = await in_database(lambda: f"{ana.pk}-{passwords.default_token_generator.make_token(ana)}")
    await in_database(lambda: passwords.password_reset(token=link, new="Nueva.2026", confirmation="Nueva.2026"))
    assert await next_types(client, 1) == ["session.ended"]
    assert await client.closed() == 4401

"""Users and the roles that hold their permissions."""

from typing import ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.db import models
from django.db.models import Case, F, Q, When
from django.db.models.functions import Collate, Lower

from project.core.spanish import COLLATION, NameKey
from project.core.versions import Versioned


class SecondFactor(models.TextChoices):
    """What the holders of a role need beside their password to sign in."""

    NONE = "none"
    ANY = "any"
    PASSKEY = "passkey"


class Role(Versioned):
    """A named set of permissions. `second_factor`: what its holders need beside their password to sign in."""

    name = models.CharField(max_length=200, db_collation=COLLATION)
    description = models.CharField(max_length=200, default="", blank=True)
    second_factor = models.CharField(
        max_length=10, choices=SecondFactor.choices, default=SecondFactor.NONE, db_default=SecondFactor.NONE
    )

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(NameKey("name"), name="role_name_once"),
        ]

    def __str__(self) -> str:
        return self.name


class RolePermission(models.Model):
    """One permission of a role, by its action name."""

    role = models.ForeignKey(Role, on_delete=models.CASCADE, related_name="permissions")
    action = models.CharField(max_length=60)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["role", "action"], name="role_permission_once"),
        ]

    def __str__(self) -> str:
        return self.action


class UserType(models.TextChoices):
    """Staff, a customer's contact, or another program. A program (see `integrations`) is not listed among the users."""

    INTERNAL = "Internal"
    CUSTOMER = "Customer"
    SERVICE = "Service"


NAME_PARTS = ("first_name", "last_name", "second_last_name")


def joined_name(*parts: str) -> str:
    """Join the parts of a person's name with spaces, without empty parts."""
    return " ".join(part for part in parts if part)


class _AfterSpace(models.Func):
    """A part of a name with a space before it; empty if the part is empty."""

    template = "CASE %(expressions)s WHEN '' THEN '' ELSE ' ' || %(expressions)s END"


def full_name_of(user: str = "") -> models.Func:
    """Return `User.full_name` as a database expression, which is null without a user. `user`: the path to the user."""
    first, last, second = (f"{user}__{part}" if user else part for part in NAME_PARTS)
    joined = (F(first), _AfterSpace(F(last)), _AfterSpace(F(second)))
    name = models.Func(*joined, template="(%(expressions)s)", arg_joiner=" || ", output_field=models.CharField())
    return Collate(name, COLLATION)  # parts with different collations would leave the text without one


class UserManager(BaseUserManager["User"]):
    """Finds users by e-mail, ignoring case. People without an e-mail are never found."""

    def get_by_natural_key(self, username: str | None) -> "User":
        return self.exclude(email="").get(email__iexact=username)

    def of_email(self, email: str) -> "User | None":
        return self.exclude(email="").filter(email__iexact=email).first()


class User(AbstractBaseUser, Versioned):
    """A user account. Increasing `token_version` revokes all tokens issued so far.

    Staff who only identify themselves at stations may have an empty e-mail. They cannot sign in.
    """

    email = models.EmailField(max_length=254, default="", blank=True)
    first_name = models.CharField(max_length=200, db_collation=COLLATION)
    last_name = models.CharField(max_length=200, default="", blank=True, db_collation=COLLATION)
    second_last_name = models.CharField(max_length=200, default="", blank=True)
    user_type = models.CharField(max_length=20, choices=UserType.choices, default=UserType.INTERNAL)
    id_if_customer = models.GeneratedField(
        expression=Case(When(user_type=UserType.CUSTOMER, then=F("id"))),
        output_field=models.BigIntegerField(),
        db_persist=True,
        unique=True,
        null=True,
    )
    """Foreign keys to this column accept only accounts of type Customer."""
    active = models.BooleanField(default=True)
    locked = models.BooleanField(default=False)
    language = models.CharField(max_length=2, default="es")
    roles = models.ManyToManyField(Role, related_name="users", blank=True)
    token_version = models.PositiveIntegerField(default=1)
    pin_hash = models.CharField(max_length=80, null=True, blank=True, unique=True)
    badge_hash = models.CharField(max_length=64, null=True, blank=True, unique=True)
    """Hashes of the PIN and badge that identify a person at a station (see `pins`). Only staff have them."""
    created_at = models.DateTimeField(auto_now_add=True)
    erased_at = models.DateTimeField(null=True, blank=True)
    """When the person's data was erased; they never get a name, session or permission again."""

    objects: ClassVar[UserManager] = UserManager()

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(Lower("email"), condition=~Q(email=""), name="user_email_once"),
            models.CheckConstraint(
                condition=~Q(email="") | Q(pin_hash__isnull=False) | Q(badge_hash__isnull=False),
                name="user_has_email_pin_or_badge",
            ),
            models.CheckConstraint(
                condition=Q(user_type=UserType.INTERNAL) | Q(pin_hash__isnull=True, badge_hash__isnull=True),
                name="user_of_a_customer_has_no_pin",
            ),
            models.CheckConstraint(
                condition=Q(erased_at__isnull=True) | Q(active=False, pin_hash__isnull=True, badge_hash__isnull=True),
                name="user_erased_opens_nothing",
            ),
        ]

    def __str__(self) -> str:
        return self.email or self.full_name

    @property
    def is_active(self) -> bool:  # type: ignore[override]
        return self.active

    @property
    def full_name(self) -> str:
        """The first name and both last names, as far as they are known."""
        return joined_name(self.first_name, self.last_name, self.second_last_name)

    @property
    def may_sign_in(self) -> bool:
        """Whether a person may sign in to this account."""
        return self.active and not self.locked and self.user_type != UserType.SERVICE and self.email != ""

    def end_sessions(self) -> None:
        """Increase the token version, which revokes all tokens. The caller saves."""
        self.token_version += 1

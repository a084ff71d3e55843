"""Sessions of conversations that frameworks number for each user anew."""


def session_of(user: str, conversation: str) -> str:
    """The session of a user's conversation; no two users have one, whatever their names are."""
    escaped = user.replace("%", "%25").replace("/", "%2F")
    return f"{escaped}/{conversation}"

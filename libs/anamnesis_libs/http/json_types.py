"""The types of JSON values."""

Json = str | int | float | bool | None | list["Json"] | dict[str, "Json"]
Object = dict[str, Json]

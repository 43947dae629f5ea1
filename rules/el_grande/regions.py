"""The map: nine regions, the castillo, two movable scoreboards.

The order of the table is the canonical order: of events, and of defaults when a choice must be made for somebody.
"""

from msgspec import Struct

CASTILLO = "castillo"
COURT = "court"
PROVINCE = "province"


class Region(Struct, frozen=True):
    """A space that scores: points for first, second and third, and the regions beside it."""

    points: tuple[int, int, int]
    neighbours: tuple[str, ...] = ()
    coastal: bool = False
    on_disk: bool = True
    """Whether it has a region card, and a place on the secret disk."""
    admits_king: bool = True
    names: tuple[str, ...] = ()
    """By language (`LANGUAGES`); those of the base map are in `NAMES`."""


REGIONS = {
    "galicia": Region((4, 2, 0), ("pais_vasco", "castilla_la_vieja"), coastal=True),
    "pais_vasco": Region((5, 3, 1), ("galicia", "castilla_la_vieja", "aragon"), coastal=True),
    "castilla_la_vieja": Region((6, 4, 2), ("galicia", "pais_vasco", "castilla_la_nueva", "aragon")),
    "castilla_la_nueva": Region((7, 4, 2), ("castilla_la_vieja", "aragon", "valencia", "granada", "sevilla")),
    "aragon": Region((5, 4, 1), ("pais_vasco", "castilla_la_vieja", "castilla_la_nueva", "cataluna", "valencia")),
    "cataluna": Region((4, 2, 1), ("aragon", "valencia"), coastal=True),
    "valencia": Region((5, 3, 2), ("castilla_la_nueva", "aragon", "cataluna", "granada"), coastal=True),
    "granada": Region((6, 3, 1), ("castilla_la_nueva", "valencia", "sevilla"), coastal=True),
    "sevilla": Region((4, 3, 1), ("castilla_la_nueva", "granada"), coastal=True),
}

CASTILLO_POINTS = (5, 3, 1)

SCOREBOARDS = {"board_840": (8, 4, 0), "board_400": (4, 0, 0)}

LANGUAGES = ("en", "es", "fr", "nl", "de")

NAMES = {
    "galicia": ("Galicia", "Galicia", "Galice", "Galicië", "Galicien"),
    "pais_vasco": ("Basque Country", "País Vasco", "Pays Basque", "Baskenland", "Baskenland"),
    "castilla_la_vieja": (
        "Old Castile",
        "Castilla la Vieja",
        "Vieille Castille",
        "Oud-Castilië",
        "Altkastilien",
    ),
    "castilla_la_nueva": (
        "New Castile",
        "Castilla la Nueva",
        "Nouvelle Castille",
        "Nieuw-Castilië",
        "Neukastilien",
    ),
    "aragon": ("Aragon", "Aragón", "Aragon", "Aragon", "Aragonien"),
    "cataluna": ("Catalonia", "Cataluña", "Catalogne", "Catalonië", "Katalonien"),
    "valencia": ("Valencia", "Valencia", "Valence", "Valencia", "Valencia"),
    "granada": ("Granada", "Granada", "Grenade", "Granada", "Granada"),
    "sevilla": ("Seville", "Sevilla", "Séville", "Sevilla", "Sevilla"),
    CASTILLO: ("Castillo", "Castillo", "Castillo", "Castillo", "Castillo"),
}

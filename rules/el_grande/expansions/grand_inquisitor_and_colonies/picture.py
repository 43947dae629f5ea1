"""How Grand Inquisitor & Colonies is drawn: the regions beyond Spain, black caballeros, tokens, the limit board."""

# ruff: noqa: E501 - outlines are long
# fmt: off

from __future__ import annotations

from collections.abc import Iterator

from rules.drawing import View
from rules.el_grande.board import marks_of, slot_of, space_of, ways_to_name
from rules.el_grande.expansions.grand_inquisitor_and_colonies.facts import BLACK, NAME, TRAVELLED
from rules.el_grande.expansions.grand_inquisitor_and_colonies.regions import (
    BONUS,
    COLONY,
    SPACES_OF_THE_LIMIT_BOARD,
    is_carrier,
)
from rules.el_grande.picture.geography import Overseas, Site
from rules.el_grande.picture.pieces import LAYERS, stack
from rules.el_grande.picture.scene import LIFT, point_of, site_of
from rules.picture import ANSWER, CARD, PIECE, Control, Sprite
from rules.texts import say

SITES = {
    "francia": Site(
        outline="M670,-60L669.7,-54.9Q669.4,-49.8,669.5,-44.6Q669.6,-39.4,667.4,-34.4Q665.2,-29.4,665.2,-24.3Q665.2,-19.2,666.1,-14.25Q667,-9.3,666.3,-4.65Q665.6,0,667.25,5.2Q668.9,10.4,669.35,15.5Q669.8,20.6,670.7,25.45Q671.6,30.3,672.25,35.15Q672.9,40,670.75,44.35Q668.6,48.7,669,53.65Q669.4,58.6,668.1,63Q666.8,67.4,665.5,71.7Q664.2,76,665.25,80.45Q666.3,84.9,666.6,89.75Q666.9,94.6,669,98.9Q671.1,103.2,672.05,107.65Q673,112.1,670.65,116.95Q668.3,121.8,667.7,127.2Q667.1,132.6,664.55,137.3L662,142L669.1,141.75Q676.2,141.5,683.4,140.8Q690.6,140.1,696.45,145.2Q702.3,150.3,709.1,153.35Q715.9,156.4,723.55,155.1Q731.2,153.8,738.8,153.05Q746.4,152.3,751.5,156.35Q756.6,160.4,761.2,164.5Q765.8,168.6,774.9,170.3L784,172L789.4,169.45Q794.8,166.9,800.4,166.05Q806,165.2,810.8,167Q815.6,168.8,821.65,170.6Q827.7,172.4,832.95,174.55Q838.2,176.7,843.7,176.8Q849.2,176.9,854.95,175.15Q860.7,173.4,866.3,173.3Q871.9,173.2,877.15,175.65Q882.4,178.1,888.7,179.7Q895,181.3,900.4,184.7Q905.8,188.1,911.45,185.5Q917.1,182.9,923,181.25Q928.9,179.6,934.4,179.95Q939.9,180.3,946.45,181.05Q953,181.8,959.5,183.9L966,186L969.8,180.95Q973.6,175.9,973.9,169.95Q974.2,164,972.55,159.2Q970.9,154.4,968.35,148.45Q965.8,142.5,962.85,137.3Q959.9,132.1,961.55,126.65Q963.2,121.2,966.7,116.5Q970.2,111.8,973.55,107.25Q976.9,102.7,981.85,100.5Q986.8,98.3,992.05,96.05Q997.3,93.8,1003.8,93.65Q1010.3,93.5,1014.6,91.3Q1018.9,89.1,1024.3,89.95Q1029.7,90.8,1035.4,89.6Q1041.1,88.4,1046.75,87.65Q1052.4,86.9,1058.15,87.9Q1063.9,88.9,1067.95,85.55Q1072,82.2,1076.7,80.75Q1081.4,79.3,1082.55,75.65Q1083.7,72,1085.85,68.25Q1088,64.5,1089.7,59.8Q1091.4,55.1,1091.3,49.55Q1091.2,44,1092.1,38.2Q1093,32.4,1092.9,26.3Q1092.8,20.2,1094.7,14Q1096.6,7.8,1094.75,1.65Q1092.9,-4.5,1093.95,-10.65Q1095,-16.8,1092.75,-22.25Q1090.5,-27.7,1090.75,-33.15Q1091,-38.6,1089.6,-43.1Q1088.2,-47.6,1085.2,-50.6Q1082.2,-53.6,1081.5,-57.25Q1080.8,-60.9,1077.45,-63.55Q1074.1,-66.2,1069.5,-66.4Q1064.9,-66.6,1060,-65.95Q1055.1,-65.3,1049.75,-65.1Q1044.4,-64.9,1038.85,-63.65Q1033.3,-62.4,1027.35,-63Q1021.4,-63.6,1015.9,-62.6Q1010.4,-61.6,1005.2,-60.8L1000,-60Z",
        short="FRA",
        centre=(820, 70),
        label=(728, 40),
        table=(728, 68),
        king=(958, 56),
        stacks={2: ((816, 60), (872, 60)), 3: ((788, 60), (844, 60), (900, 60)), 4: ((760, 60), (816, 60), (872, 60), (928, 60)), 5: ((732, 60), (788, 60), (844, 60), (900, 60), (956, 60))},
        grandes={1: ((930, 118),), 2: ((909, 118), (951, 118)), 3: ((888, 118), (930, 118), (972, 118)), 4: ((879, 118), (913, 118), (947, 118), (981, 118)), 5: ((862, 118), (896, 118), (930, 118), (964, 118), (998, 118))},
        token=(700, 104),
        style="abroad",
        slots={'ambassador': (806, 58), 'emissary': (860, 58), 'third': (914, 58)},
    ),
    "ship": Site(
        outline="M-6,842 L206,842 L192,918 Q186,938 160,938 L40,938 Q14,938 8,918 Z",
        short="NAO",
        centre=(98, 868),
        label=(40, 782),
        table=(62, 808),
        stacks={2: ((72, 884), (128, 884)), 3: ((44, 884), (100, 884), (156, 884)), 4: ((72, 857), (128, 857), (72, 911), (128, 911)), 5: ((44, 857), (100, 857), (156, 857), (72, 911), (128, 911))},
        grandes={1: ((176, 836),), 2: ((176, 815), (176, 857)), 3: ((176, 794), (176, 836), (176, 878)), 4: ((176, 785), (176, 819), (176, 853), (176, 887)), 5: ((176, 768), (176, 802), (176, 836), (176, 870), (176, 904))},
        token=(184, 914),
        style="hull",
        slots={'captain': (154, 800)},
    ),
    "america": Site(
        outline="M-80,944L-74.95,944.9Q-69.9,945.8,-64.7,946.1Q-59.5,946.4,-54.15,945.1Q-48.8,943.8,-43.55,945.55Q-38.3,947.3,-33,945.55Q-27.7,943.8,-22.55,944.85Q-17.4,945.9,-12.45,947.35Q-7.5,948.8,-2.7,949.15Q2.1,949.5,6.85,948.5Q11.6,947.5,15.7,949.2Q19.8,950.9,25.85,950.8Q31.9,950.7,36.9,953.7Q41.9,956.7,47.4,956.55Q52.9,956.4,57.4,958.65Q61.9,960.9,65.75,963.7Q69.6,966.5,73.7,969.55Q77.8,972.6,80.35,977.2Q82.9,981.8,85.65,986.05Q88.4,990.3,92.05,993.4Q95.7,996.5,100.7,997.95Q105.7,999.4,111.25,999.55Q116.8,999.7,122.6,1000.45Q128.4,1001.2,134.15,1001.3Q139.9,1001.4,144.95,1000.85Q150,1000.3,155,1002.05Q160,1003.8,165.15,1004Q170.3,1004.2,175.4,1004.8Q180.5,1005.4,185.35,1006.45Q190.2,1007.5,194.55,1009.05Q198.9,1010.6,202.85,1012.95Q206.8,1015.3,210.4,1018.2Q214,1021.1,217.65,1023.95Q221.3,1026.8,225.45,1028.85Q229.6,1030.9,234.7,1030.9Q239.8,1030.9,244.35,1033.9Q248.9,1036.9,254,1037.15Q259.1,1037.4,263.65,1038.7Q268.2,1040,271.6,1042.6Q275,1045.2,278.2,1048.95Q281.4,1052.7,285.2,1056.5Q289,1060.3,290.9,1065.85Q292.8,1071.4,294,1077.8Q295.2,1084.2,297.3,1087.7Q299.4,1091.2,299.75,1095.85Q300.1,1100.5,302.25,1105.1Q304.4,1109.7,305.7,1115Q307,1120.3,308.75,1125.7Q310.5,1131.1,311.35,1136.8Q312.2,1142.5,312.9,1148.2Q313.6,1153.9,315.2,1159.35Q316.8,1164.8,315.6,1170.2Q314.4,1175.6,315.6,1180.7Q316.8,1185.8,315.75,1190.45Q314.7,1195.1,312.05,1198.75Q309.4,1202.4,307.95,1206.4Q306.5,1210.4,304.25,1211.65Q302,1212.9,300.4,1215.25Q298.8,1217.6,295.95,1218.35Q293.1,1219.1,290.6,1221Q288.1,1222.9,284.55,1222.5Q281,1222.1,277.7,1222.75Q274.4,1223.4,271.2,1225.9Q268,1228.4,264.05,1228.35Q260.1,1228.3,255.95,1227.85Q251.8,1227.4,247.55,1227.85Q243.3,1228.3,238.85,1228.45Q234.4,1228.6,229.75,1229.15Q225.1,1229.7,220.25,1230.5Q215.4,1231.3,210.35,1232.05Q205.3,1232.8,200.1,1231.55Q194.9,1230.3,189.6,1229.3Q184.3,1228.3,178.85,1227.9Q173.4,1227.5,167.8,1227.7Q162.2,1227.9,156.45,1228.6Q150.7,1229.3,144.95,1228.45Q139.2,1227.6,133.4,1226.8Q127.6,1226,121.65,1225.85Q115.7,1225.7,109.7,1225.4Q103.7,1225.1,97.85,1223.05Q92,1221,85.8,1222.2Q79.6,1223.4,73.7,1221.35Q67.8,1219.3,61.6,1220.2Q55.4,1221.1,49.5,1219.15Q43.6,1217.2,37.65,1215.95Q31.7,1214.7,25.7,1214.6Q19.7,1214.5,13.65,1215.6Q7.6,1216.7,1.8,1215.85Q-4,1215,-9.8,1214.75Q-15.6,1214.5,-21.15,1212.5Q-26.7,1210.5,-32.4,1212Q-38.1,1213.5,-43.45,1211.05Q-48.8,1208.6,-54.2,1210.15Q-59.6,1211.7,-64.75,1209.85Q-69.9,1208,-74.95,1209L-80,1210Z",
        short="AME",
        centre=(140, 1070),
        label=(62, 998),
        table=(62, 1028),
        stacks={2: ((114, 1098), (170, 1098)), 3: ((86, 1098), (142, 1098), (198, 1098)), 4: ((58, 1098), (114, 1098), (170, 1098), (226, 1098)), 5: ((30, 1098), (86, 1098), (142, 1098), (198, 1098), (254, 1098))},
        grandes={1: ((246, 1066),), 2: ((225, 1066), (267, 1066)), 3: ((204, 1066), (246, 1066), (288, 1066)), 4: ((195, 1066), (229, 1066), (263, 1066), (297, 1066)), 5: ((178, 1066), (212, 1066), (246, 1066), (280, 1066), (314, 1066))},
        token=(292, 1084),
        style="abroad",
        slots={'viceroy': (150, 1036)},
    ),
    "africa": Site(
        outline="M330,1210L329.95,1204.9Q329.9,1199.8,329.5,1194.6Q329.1,1189.4,331.2,1184.2Q333.3,1179,331.8,1173.65Q330.3,1168.3,332.2,1163.1Q334.1,1157.9,333.05,1152.65Q332,1147.4,333.5,1142.45Q335,1137.5,335.45,1132.7Q335.9,1127.9,335.25,1123.2Q334.6,1118.5,336.3,1114.4Q338,1110.3,336.75,1104.4Q335.5,1098.5,337.55,1093.65Q339.6,1088.8,340.5,1084Q341.4,1079.2,342.25,1074.4Q343.1,1069.6,345.25,1065Q347.4,1060.4,348.65,1055.1Q349.9,1049.8,350.3,1044.15Q350.7,1038.5,352,1033.1Q353.3,1027.7,356.45,1023Q359.6,1018.3,360.65,1013.1Q361.7,1007.9,362.75,1002.2Q363.8,996.5,365.65,991.1Q367.5,985.7,369.55,980.65Q371.6,975.6,374,971.2Q376.4,966.8,380.55,963.55Q384.7,960.3,388.7,957.55Q392.7,954.8,396.4,952.9Q400.1,951,403.15,953.2Q406.2,955.4,409.55,958.45Q412.9,961.5,416.2,965.15Q419.5,968.8,424.25,969.25Q429,969.7,433.6,971.9Q438.2,974.1,443.1,976.8Q448,979.5,453.55,980.2Q459.1,980.9,464.55,980.95Q470,981,474.85,980Q479.7,979,484.55,977.3Q489.4,975.6,494.4,973.7Q499.4,971.8,504.9,971.6Q510.4,971.4,515.05,968.25Q519.7,965.1,524.8,966.5Q529.9,967.9,535,967.35Q540.1,966.8,545.05,968.55Q550,970.3,554.9,972.4Q559.8,974.5,564.85,976.35Q569.9,978.2,575.05,979.25Q580.2,980.3,585,983.25Q589.8,986.2,594.65,983.85Q599.5,981.5,604.75,982.8Q610,984.1,614.7,981.4Q619.4,978.7,624.8,978.65Q630.2,978.6,635.2,977.1Q640.2,975.6,645.05,973.65Q649.9,971.7,655,971.25Q660.1,970.8,664.9,972.95Q669.7,975.1,674.55,976.55Q679.4,978,684.65,978.9Q689.9,979.8,694.65,982.3Q699.4,984.8,704.8,985.2Q710.2,985.6,715.15,987.05Q720.1,988.5,725.05,990.1Q730,991.7,735,990.4Q740,989.1,745.05,988.4Q750.1,987.7,755.15,986.2Q760.2,984.7,765,982.5Q769.8,980.3,775.1,979.65Q780.4,979,785.3,977.6Q790.2,976.2,795.15,976.1Q800.1,976,805.05,975.35Q810,974.7,815.1,974.9Q820.2,975.1,825.1,976.95Q830,978.8,834.9,980.6Q839.8,982.4,845.15,982.1Q850.5,981.8,855.25,983.7Q860,985.6,865.05,986.5Q870.1,987.4,875,985.7Q879.9,984,885.2,983.95Q890.5,983.9,895.2,981.25Q899.9,978.6,905,977.15Q910.1,975.7,915.35,974.9Q920.6,974.1,925.4,972.25Q930.2,970.4,935.1,969.15Q940,967.9,944.95,968.4Q949.9,968.9,954.8,969.75Q959.7,970.6,964.65,971.75Q969.6,972.9,974.8,973.05Q980,973.2,984.85,975.2Q989.7,977.2,994.85,977.15Q1000,977.1,1005,976.7Q1010,976.3,1015.3,977.25Q1020.6,978.2,1025.85,975.65Q1031.1,973.1,1037.05,972.65Q1043,972.2,1048.45,970.9Q1053.9,969.6,1058.8,968.45Q1063.7,967.3,1068.2,966.55Q1072.7,965.8,1075.85,968.6Q1079,971.4,1081.15,972.5Q1083.3,973.6,1084.05,976.25Q1084.8,978.9,1087.1,981.35Q1089.4,983.8,1088.75,987.5Q1088.1,991.2,1089,994.9Q1089.9,998.6,1091.05,1002.65Q1092.2,1006.7,1092.1,1011.25Q1092,1015.8,1092.35,1020.65Q1092.7,1025.5,1092.5,1030.65Q1092.3,1035.8,1092.6,1041.2Q1092.9,1046.6,1092.9,1052.25Q1092.9,1057.9,1091.75,1063.65Q1090.6,1069.4,1089,1075.2Q1087.4,1081,1088.6,1087.2Q1089.8,1093.4,1088.35,1099.4Q1086.9,1105.4,1085.85,1111.5Q1084.8,1117.6,1085.55,1123.9Q1086.3,1130.2,1085.9,1136.3Q1085.5,1142.4,1085.15,1148.45Q1084.8,1154.5,1084,1160.4Q1083.2,1166.3,1081.85,1172Q1080.5,1177.7,1080.3,1183.3Q1080.1,1188.9,1080.85,1194.35Q1081.6,1199.8,1080.8,1204.9L1080,1210Z",
        short="AFR",
        centre=(680, 1060),
        label=(450, 1036),
        table=(450, 1066),
        stacks={2: ((640, 1058), (696, 1058)), 3: ((612, 1058), (668, 1058), (724, 1058)), 4: ((584, 1058), (640, 1058), (696, 1058), (752, 1058)), 5: ((556, 1058), (612, 1058), (668, 1058), (724, 1058), (780, 1058))},
        grandes={1: ((884, 1058),), 2: ((863, 1058), (905, 1058)), 3: ((842, 1058), (884, 1058), (926, 1058)), 4: ((833, 1058), (867, 1058), (901, 1058), (935, 1058)), 5: ((816, 1058), (850, 1058), (884, 1058), (918, 1058), (952, 1058))},
        token=(400, 1110),
        style="abroad",
        slots={},
    ),
}

STAR = "M0-25L7-18H18V-7L25 0L18 7V18H7L0 25L-7 18H-18V7L-25 0L-18-7V-18H-7Z"
"""The silhouette of the black caballeros."""

SHIP = (
    '<path class="sail" d="M104 842V748M104 756C152 760 184 784 190 828H104M96 764C52 774 20 796 12 830H96"/>'
    '<path class="plank" d="M4 870H198M10 898H190"/>'
)
TOKENS = {
    "gold": '<path d="M-7-6H7L10 0H-10ZM-11 3H-1L1 9H-13ZM1 3H11L13 9H3"/>',
    "goods": '<path d="M-8-8H8V9H-8ZM-8 0H8M0-8V9"/>',
}
LYING = {"gold": (214, 1036), "goods": (560, 1120)}
"""Where tokens lie in their colony; the next one beside it."""

BESIDE_IT = 40
LEFTMOST, RIGHTMOST = 72, 928


def _slots() -> str:
    """The special places."""
    return "".join(
        f'<g class="slot" transform="translate({x} {y})"><circle r="26"/></g>'
        for site in SITES.values()
        for x, y in site.slots.values()
    )


OVERSEAS = Overseas(
    sites=SITES,
    view=(0, 0, 1000, 1140),
    markup=SHIP + _slots(),
    covers=("compass", "Océano Atlántico"),
)


def symbols() -> dict[str, str]:
    """Black caballeros, tokens, the limit board, the marker."""
    return {
        **{f"stack-{BLACK}-{layers}": stack(BLACK, layers, STAR) for layers in range(1, LAYERS + 1)},
        **{f"token-{token}": _token(token) for token in TOKENS},
        **{f"carried-{token}": _carried(token) for token in TOKENS},
        **dict(_limit_boards()),
        "bonus": '<g class="bonus"><circle r="14"/><text y="6.5" data-text="0"></text></g>',
        "grip": '<circle r="14" fill="none"/>',
        "marked-space": '<g class="bonus marker"><circle r="17"/><path d="M-6 9V-10H7L3-5L7 0H-6"/></g>',
    }


def _token(token: str) -> str:
    return f'<g class="token {token}"><circle r="17" cy="3" class="cast"/><circle r="17"/>{TOKENS[token]}</g>'


def _carried(token: str) -> str:
    """Carriers of a kind that stand together have one token for all, with their number."""
    return (
        f'<g class="token {token}" transform="scale(.72)"><circle r="17" cy="3" class="cast"/><circle r="17"/>{TOKENS[token]}'
        '<text class="count" x="21" y="10" data-text="0"></text></g>'
    )


def _limit_boards() -> Iterator[tuple[str, str]]:
    for spaces in sorted(set(SPACES_OF_THE_LIMIT_BOARD.values())):
        for taken in range(spaces + 1):
            yield f"limit-{spaces}-{taken}", _limit_board(spaces, taken)


def _limit_board(spaces: int, taken: int) -> str:
    """Two rows of spaces, the taken ones dark."""
    wide = spaces // 2
    left = -11.2 * wide
    cells = "".join(
        f'<rect class="{"full" if number < taken else "free"}" x="{left + 2.5 + 22.4 * (number % wide):.1f}" '
        f'y="{-16 + 18 * (number // wide)}" width="17" height="14" rx="3"/>'
        for number in range(spaces)
    )
    return f'<g class="limit"><rect x="{left - 5:.1f}" y="-22" width="{22.4 * wide + 10:.1f}" height="44" rx="8"/>{cells}</g>'


# What stands on the ground


def sprites(seen: View) -> Iterator[Sprite]:
    mine = seen[NAME]
    board = mine["limit_board"]
    taken = board["spaces"] - board["free"]
    if board["region"]:
        yield Sprite("limit_board", f"limit-{board['spaces']}-{taken}", "tables", *_above(seen, board["region"]))
    for name, site in SITES.items():
        for slot, (x, y) in site.slots.items():
            text = f"+{BONUS.get(slot, 0)}"
            yield Sprite(f"bonus/{name}:{slot}", "bonus", "marks", x + 24, y - 24, texts=(text,))
    yield from _grips(seen)
    yield from _black_of_the_holder(seen)
    for token, (left, top) in LYING.items():
        for number in range(mine["tokens"][token]["unclaimed"]):
            yield Sprite(f"token/{COLONY[token]}/{number}", f"token-{token}", "tables", left + BESIDE_IT * number, top)
    if marked := mine["marked_space"]:
        x, y = site_of(seen, marked["space"]).table
        yield Sprite("marked_space", "marked-space", "tables", x + 62, y)


def _grips(seen: View) -> Iterator[Sprite]:
    """A piece may be named in more ways than it is drawn: each of them has something to be taken by."""
    known: set[str] = set()
    for piece in seen["marked"]:
        owner, key = piece["owner"], piece["at"]
        drawn = {f"{key}/{owner}", f"{space_of(key)}/{owner}" if not slot_of(key) else "", f"{key.split('+')[0]}/{owner}"}
        if has_plain(seen, space_of(key), owner):
            drawn.add(f"{space_of(key)}/{owner}")
        names = {f"{way}/{owner}" for way in (space_of(key), *ways_to_name(key))}
        flag = {f"{owner}/{key}"} if marks_of(key) and not is_carrier(key) else set()
        x, y = point_of(seen, owner, key)
        lift = LIFT if flag else (0, 0)
        for name in sorted((names - drawn) | flag):
            if name not in known:
                known.add(name)
                yield Sprite(name, "grip", "pieces", x + lift[0], y + lift[1])


def _black_of_the_holder(seen: View) -> Iterator[Sprite]:
    """Black caballeros that their holder may name among the own ones."""
    if not (holder := seen[NAME]["inquisitor"]):
        return
    marked = (piece["at"] for piece in seen["marked"] if piece["owner"] == BLACK)
    plain = (region for region in TRAVELLED if seen["regions"].get(region, {}).get(BLACK))
    points = {way: point_of(seen, BLACK, key) for key in marked for way in (space_of(key), *ways_to_name(key))}
    points |= {region: point_of(seen, BLACK, region) for region in plain if has_plain(seen, region, BLACK)}
    for way, point in points.items():
        yield Sprite(f"{BLACK}/{way}/{holder}", "grip", "pieces", *point)


def has_plain(seen: View, space: str, owner: str) -> bool:
    """Whether a pile of this owner is drawn beside the special places of the space."""
    slots = sum(
        space_of(piece["at"]) == space and piece["owner"] == owner and bool(slot_of(piece["at"]))
        for piece in seen["marked"]
    )
    return bool(seen["regions"].get(space, {}).get(owner, 0) > slots)


def _above(seen: View, region: str) -> tuple[float, float]:
    """Over the name of the region."""
    x, y = site_of(seen, region).label
    return min(max(x, LEFTMOST), RIGHTMOST), y - 40


CONTROLS = {
    "named_piece": Control(PIECE, "{value}"),
    "seat": Control(PIECE, "grande/{value}"),
    "card": Control(CARD),
    "inquisitor": Control(
        ANSWER, names={"grand_inquisitor": say("Grand Inquisitor"), "draw": say("One to court"), "place": say("Place one")}
    ),
    "held": Control(ANSWER, names={"use": say("Use the card"), "pass": say("Pass")}, shortcuts={"use": "u", "pass": "p"}),
}

"""El Grande drawn: the map of Spain, its pieces, and the cards beside it.

`geography` has the coordinates, `ground` the map, `pieces` the symbols; `scene` puts them where they stand, `beats`
tells what is seen to move, `words` says the same for readers who see none of it.
"""

from rules.el_grande.picture.beats import beats
from rules.el_grande.picture.ground import ground
from rules.el_grande.picture.scene import scene, thumbnail
from rules.el_grande.picture.words import headline, spaces, words
from rules.picture import Picture

PICTURE = Picture(ground, scene, spaces, words, beats, thumbnail, headline)

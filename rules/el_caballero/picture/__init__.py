"""El Caballero drawn: a map of tiles that grows, its cards and pieces, and the tiles beside it.

`geography` has the coasts, `pieces` the symbols, `ground` the cloth under them; `scene` puts them where they lie,
`beats` tells what is seen to move, `words` says the same for readers who see none of it.
"""

from rules.el_caballero.picture.beats import beats
from rules.el_caballero.picture.ground import ground
from rules.el_caballero.picture.scene import scene, thumbnail
from rules.el_caballero.picture.words import headline, spaces, words
from rules.picture import Picture

PICTURE = Picture(ground, scene, spaces, words, beats, thumbnail, headline)

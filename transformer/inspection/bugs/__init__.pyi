from . import collection as collection
from . import instruments as instruments
from . import museum as museum
from . import parts as parts
from . import specimens as specimens
from . import symptoms as symptoms
from . import trainings as trainings

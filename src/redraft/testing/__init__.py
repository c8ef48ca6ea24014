"""Contracts of what third parties plug into redraft, as pytest classes: studios, models, image backends, fix stores.

    class TestDiagrams(StudioContract):
        name = "diagrams"
        instruction = "a flow from order to payment"
        reply = '{"dot": "digraph { order -> payment }"}'

Nothing else in redraft imports pytest. To see the values in failing assertions, add
`pytest.register_assert_rewrite("redraft.testing")` to `conftest.py`.
"""

from redraft.testing.models import ImageBackendContract, ModelContract
from redraft.testing.stores import StoreContract, a_fix
from redraft.testing.studios import StudioContract, texts

__all__ = ["ImageBackendContract", "ModelContract", "StoreContract", "StudioContract", "a_fix", "texts"]

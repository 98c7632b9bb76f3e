"""The fused attention of MPNet computes what transformers does."""

import copy

import torch
from torch import Tensor, nn
from transformers import AutoConfig, AutoModel
from transformers.models.mpnet.modeling_mpnet import MPNetEncoder

from utterly.networks.fused_attention import fuse_mpnet_attention

SHAPE = {"hidden_size": 32, "num_attention_heads": 4, "num_hidden_layers": 2, "intermediate_size": 48, "vocab_size": 60}
IDS = torch.randint(2, 60, (3, 21), generator=torch.Generator().manual_seed(1))
MASK = torch.arange(21) < torch.tensor([[21], [9], [16]])


def networks(*, dropout: float = 0.0) -> tuple[nn.Module, nn.Module]:
    """A network, and the same with fused attention; `dropout` is that of attention."""
    torch.manual_seed(0)
    rates = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": dropout}
    network = AutoModel.from_config(AutoConfig.for_model("mpnet", **SHAPE, **rates), add_pooling_layer=False)
    fused = copy.deepcopy(network)
    fuse_mpnet_attention(fused)
    return network, fused


def states(network: nn.Module) -> Tensor:
    """The states of all pieces that are no padding."""
    hidden: Tensor = network(input_ids=IDS, attention_mask=MASK.long()).last_hidden_state
    return hidden[MASK]


def test_states_and_gradients_are_the_same() -> None:
    network, fused = networks()
    found, wanted = states(fused), states(network)
    torch.testing.assert_close(found, wanted)
    slopes = [
        torch.autograd.grad(each.pow(3).sum(), [*parts.parameters()])
        for each, parts in ((found, fused), (wanted, network))
    ]
    for (name, _), *pair in zip(network.named_parameters(), *slopes, strict=True):
        torch.testing.assert_close(*pair, msg=name, rtol=1e-3, atol=1e-3)


def test_padding_is_not_read() -> None:
    _, fused = networks()
    alone = fused(input_ids=IDS[1:2, :9], attention_mask=MASK[1:2, :9].long()).last_hidden_state
    torch.testing.assert_close(states(fused)[21:30], alone[0])


def test_states_are_about_the_same_in_bf16() -> None:
    network, fused = networks()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        found = states(fused)
    assert (found.float() - states(network)).norm() < 0.02 * states(network).norm()


def test_attention_drops_out_in_training_only() -> None:
    _, fused = networks(dropout=0.5)
    assert not torch.equal(states(fused.train()), states(fused))
    assert torch.equal(states(fused.eval()), states(fused))


def test_other_encoders_stay_as_they_are() -> None:
    bert = AutoModel.from_config(AutoConfig.for_model("bert", **SHAPE))
    before = [type(module) for module in bert.modules()]
    fuse_mpnet_attention(bert)
    assert [type(module) for module in bert.modules()] == before
    assert MPNetEncoder not in {type(module) for module in networks()[1].modules()}

# The bundled models, from corpora and a bare encoder to a folder that can be shipped:
#
#     make model-en DATA=... ENCODERS=...        the folder is runs/bundled/en/exported
#     make model-zh DATA=... ENCODERS=...        runs/bundled/zh/exported
#
# DATA is the folder of the corpora, ENCODERS that of the encoders. Each step is a file: what is there and newer than what
# it is made of is not made again, and a training step that was stopped goes on from its last epoch. Training needs a
# GPU; a step is meant to take at most ten minutes on one (times: recipes/README.md).
PYTHON   ?= python3
UTTERLY  ?= utterly
JOBS     ?= 2
DEVICE   ?= cuda
ENCODERS ?= encoders
# A test makes less: it divides generated data by a number, and has its own chats.
SMALLER   ?= 1
AUTHORED  ?= recipes/wild/chats
WRITTEN   ?= recipes/wild/written.jsonl.gz
REWRITTEN ?= recipes/wild/rewritten.jsonl.gz

EN      := runs/bundled/en
ZH      := runs/bundled/zh
D_EN    := $(EN)/data
D_ZH    := $(ZH)/data
MORE    := more/qrecc_sample more/task_train more/cast2019 more/cast2020 more/ikat2023_train more/followup_train \
           more/pacific_validation wild/qrecc_human
TRAINED_EN := $(patsubst %,$(D_EN)/%.labels.jsonl,canard canard-copies more more-copies chats followups scenes \
                authored authored-copies rearranged rewritten) \
              $(patsubst %,$(D_EN)/%.chosen.jsonl,shaped written)
TRAINED_ZH := $(patsubst %,$(D_ZH)/%.labels.jsonl,rewrite restoration copies small-talk chats followups \
                authored authored-copies) \
              $(patsubst %,$(D_ZH)/%.chosen.jsonl,long shaped)

.PHONY: model-en model-zh data-en data-zh
.DELETE_ON_ERROR:
.SECONDARY:

model-en: $(EN)/card
model-zh: $(ZH)/card
data-en: $(TRAINED_EN) $(D_EN)/confidence.jsonl $(D_EN)/mixed-dev.jsonl
data-zh: $(TRAINED_ZH) $(D_ZH)/dev.jsonl $(D_ZH)/mixed-dev.jsonl

ifneq ($(filter model-% data-%,$(or $(MAKECMDGOALS),model-en)),)
  $(if $(DATA),,$(error DATA must name the folder of the corpora: make $(MAKECMDGOALS) DATA=... ENCODERS=...))
endif

$(D_EN) $(D_ZH):
	mkdir -p $@

# Recipes name encoders by `encoders/NAME`.
encoders/%:
	test -d "$(ENCODERS)/$*" || { echo "ENCODERS must name a folder with $*, got $(ENCODERS)"; false; }
	mkdir -p encoders
	test -e $@ || ln -s "$$(realpath "$(ENCODERS)/$*")" $@

# Labels. English ones need no syntax, as machine-made and chat-shaped turns are no better with it.
$(D_EN)/%.labels.jsonl: $(D_EN)/%.jsonl
	$(UTTERLY) label $< $@ --syntax none --jobs $(JOBS) --force
$(D_ZH)/%.labels.jsonl: $(D_ZH)/%.jsonl
	$(UTTERLY) label $< $@ --syntax zh --jobs $(JOBS) --force
$(D_EN)/%.chosen.jsonl: UNCHANGED = 1
$(D_EN)/written.chosen.jsonl: UNCHANGED = 0.5
$(D_EN)/%.chosen.jsonl: $(D_EN)/%.labels.jsonl | encoders/mpnet-base
	$(PYTHON) -m recipes.wild.chosen $< $@ --recipe recipes/bundled-en.toml --unchanged $(UNCHANGED)
$(D_ZH)/%.chosen.jsonl: $(D_ZH)/%.labels.jsonl | encoders/roformer-small-zh
	$(PYTHON) -m recipes.wild.chosen $< $@ --recipe recipes/bundled-zh.toml

# Chats written for training, in both languages. Every twelfth is held out, and with turns of the corpus chooses the epoch.
define authored # folder of the data, language, corpus dev
$(1)/authored-all.jsonl: $(wildcard $(AUTHORED)/$(2)/*.txt $(AUTHORED)/$(2)/*.txt.gz) | $(1)
	$$(PYTHON) -m recipes.wild.authored $(AUTHORED)/$(2) $$@
$(1)/authored.jsonl: $(1)/authored-all.jsonl
	$$(PYTHON) recipes/split.py $$< $$@ $(1)/authored-held.jsonl --every 12
$(1)/authored-held.jsonl: $(1)/authored.jsonl ;
$(1)/authored-copies.jsonl: $(1)/authored.jsonl
	$$(PYTHON) recipes/mix.py $$< $$@ --self-contained 0.15 --switched 0.08 --preceded 0.2 --unpunctuated 0.1 --seed 7
$(1)/mixed-dev.jsonl: $(3) $(1)/authored-held.jsonl
	{ head -n 150 $$<; cat $(1)/authored-held.jsonl; } > $$@
endef
$(eval $(call authored,$(D_EN),en,$(D_EN)/held.jsonl))
$(eval $(call authored,$(D_ZH),zh,$(D_ZH)/dev.jsonl))

# English dialogues. The last 921 turns of CANARD dev choose; nothing learns from them.
$(D_EN)/canard-train.jsonl: $(DATA)/canard/train.jsonl.gz | $(D_EN)
	$(UTTERLY) convert canard $< $@ --guessed-titles --force
$(D_EN)/canard-dev.jsonl: $(DATA)/canard/dev.json.gz | $(D_EN)
	$(UTTERLY) convert canard $< $@ --force
$(D_EN)/canard-test.jsonl: $(DATA)/canard/test.jsonl.gz | $(D_EN)
	$(UTTERLY) convert canard $< $@ --force
$(D_EN)/dev-head.jsonl: $(D_EN)/canard-dev.jsonl
	head -n 2509 $< > $@
$(D_EN)/held.jsonl: $(D_EN)/canard-dev.jsonl
	tail -n 921 $< > $@
$(D_EN)/canard.jsonl: $(D_EN)/canard-train.jsonl $(D_EN)/dev-head.jsonl
	cat $^ > $@
$(D_EN)/train-copies.jsonl: $(D_EN)/canard-train.jsonl
	$(PYTHON) recipes/mix.py $< $@ --headers 1 --headerless 0.15 --self-contained 0.06 --unpunctuated 0.06 --seed 1
$(D_EN)/dev-copies.jsonl: $(D_EN)/dev-head.jsonl
	$(PYTHON) recipes/mix.py $< $@ --headers 2 --headerless 0.5 --self-contained 0.1 --unpunctuated 0.1 --seed 2
$(D_EN)/canard-copies.jsonl: $(D_EN)/train-copies.jsonl $(D_EN)/dev-copies.jsonl
	cat $^ > $@
$(D_EN)/more.jsonl: $(patsubst %,$(DATA)/%.jsonl.gz,$(MORE)) | $(D_EN)
	gzip -dc $^ > $@
$(D_EN)/more-copies.jsonl: $(D_EN)/more.jsonl
	$(PYTHON) recipes/mix.py $< $@ --self-contained 0.25 --unpunctuated 0.25 --seed 4
$(D_EN)/rearranged.jsonl: $(D_EN)/authored.jsonl
	$(PYTHON) recipes/mix.py $< $@ --rearranged 1 --seed 1
$(D_EN)/chats.jsonl: recipes/chat/en/scenes.txt recipes/chat/en/followups.txt recipes/chat/en/tables.txt | $(D_EN)
	$(PYTHON) -m recipes.chat --language en --count $$((8000 / $(SMALLER))) --seed 41 $@
$(D_EN)/followups.jsonl: recipes/chat/en/followups.txt recipes/chat/en/tables.txt | $(D_EN)
	$(PYTHON) -m recipes.chat --language en --scenes followups --count $$((8000 / $(SMALLER))) --seed 78 $@
$(D_EN)/scenes.jsonl: recipes/wild/scenes.toml | $(D_EN)
	$(PYTHON) -m recipes.wild.scenes $@ --count $$((3500 / $(SMALLER))) --seed 5
$(D_EN)/shaped.jsonl: $(DATA)/canard/train.jsonl.gz | $(D_EN)
	$(PYTHON) -m recipes.wild.shaped $(DATA) $@ --share 0.45 --seed 1
$(D_EN)/written.jsonl: $(WRITTEN) | $(D_EN)
	$(PYTHON) -m recipes.wild.written $(DATA) $@ --chats $(WRITTEN)
$(D_EN)/rewritten.jsonl: $(REWRITTEN) | $(D_EN)
	$(PYTHON) -m recipes.wild.rewritten $(DATA) $@ --rewrites $(REWRITTEN)
# Turns without labels; the model that has been taught once guesses them.
INEXACT := $(patsubst %,$(D_EN)/%.labels.jsonl,canard canard-copies more more-copies)
CHOSEN  := $(foreach name,written shaped,$(D_EN)/$(name).labels.jsonl $(D_EN)/$(name).chosen.jsonl)
$(D_EN)/unlabelled.jsonl: $(INEXACT) $(CHOSEN) $(D_EN)/authored.jsonl
	$(PYTHON) -m recipes.wild.unlabelled $@ --inexact $(INEXACT) --left $(wordlist 1,2,$(CHOSEN)) \
	  --left $(wordlist 3,4,$(CHOSEN)) --chats $(D_EN)/authored.jsonl --recipe recipes/bundled-en.toml --seed 5
$(D_EN)/unlabelled.labels.jsonl: $(D_EN)/unlabelled.jsonl $(EN)/taught/trained
	$(PYTHON) -m recipes.guessed $(EN)/taught/model $< $@ --device $(DEVICE)

# Chinese dialogues. REWRITE dev chooses.
$(D_ZH)/rewrite.jsonl: $(DATA)/rewrite/corpus.txt.gz | $(D_ZH)
	$(UTTERLY) convert rewrite $< $@ --split train --force
$(D_ZH)/dev.jsonl: $(DATA)/rewrite/corpus.txt.gz | $(D_ZH)
	$(UTTERLY) convert rewrite $< $@ --split dev --force
$(D_ZH)/rewrite-test.jsonl: $(DATA)/rewrite/corpus.txt.gz | $(D_ZH)
	$(UTTERLY) convert rewrite $< $@ --split test --force
$(D_ZH)/restoration.jsonl: $(DATA)/more/restoration200k_valid.jsonl.gz | $(D_ZH)
	gzip -dc $< > $@
$(D_ZH)/rewrite-copies.jsonl: $(D_ZH)/rewrite.jsonl
	$(PYTHON) recipes/mix.py $< $@ --self-contained 0.25 --switched 0.15 --seed 21
$(D_ZH)/restoration-copies.jsonl: $(D_ZH)/restoration.jsonl
	$(PYTHON) recipes/mix.py $< $@ --self-contained 0.25 --seed 6
$(D_ZH)/copies.jsonl: $(D_ZH)/rewrite-copies.jsonl $(D_ZH)/restoration-copies.jsonl
	cat $^ > $@
$(D_ZH)/stays.jsonl: $(D_ZH)/chats.jsonl
	grep -E '"phenomenon": "(small talk|about the bot|you and I|new topic)"' $< > $@
$(D_ZH)/small-talk.jsonl: $(D_ZH)/rewrite.jsonl $(D_ZH)/stays.jsonl
	$(PYTHON) recipes/mix.py $< $@ --switched 0.15 --others $(D_ZH)/stays.jsonl --seed 22
$(D_ZH)/chats.jsonl: recipes/chat/zh/scenes.txt recipes/chat/zh/followups.txt recipes/chat/zh/tables.txt | $(D_ZH)
	$(PYTHON) -m recipes.chat --language zh --count $$((6000 / $(SMALLER))) --seed 42 $@
$(D_ZH)/followups.jsonl: recipes/chat/zh/followups.txt recipes/chat/zh/tables.txt | $(D_ZH)
	$(PYTHON) -m recipes.chat --language zh --scenes followups --count $$((7000 / $(SMALLER))) --seed 88 $@
$(D_ZH)/long.jsonl: recipes/chat/zh/long.txt recipes/chat/zh/tables.txt | $(D_ZH)
	$(PYTHON) -m recipes.chat --language zh --scenes long --count $$((7000 / $(SMALLER))) --seed 52 $@
$(D_ZH)/shaped.jsonl: $(DATA)/rewrite/corpus.txt.gz $(DATA)/more/restoration200k_valid.jsonl.gz | $(D_ZH)
	$(PYTHON) -m recipes.wild.shaped_zh $(DATA) $@ --share 0.35 --seed 1

# Training. A run that was stopped goes on, unless something it learns from is newer than its checkpoint.
define train # options of `utterly train`
	for file in $^; do if [ "$$file" -nt $(@D)/checkpoint.pt ]; then rm -rf $(@D)/checkpoint.pt $(@D)/model; fi; done
	$(UTTERLY) train $(1)
	touch $@
endef

$(EN)/trained: recipes/bundled-en.toml $(TRAINED_EN) $(D_EN)/mixed-dev.jsonl | encoders/mpnet-base
	$(call train,recipes/bundled-en.toml)
$(EN)/taught/trained: $(EN)/trained
	$(call train,recipes/bundled-en.toml --variant taught)
$(EN)/taught-again/trained: $(EN)/trained
	$(call train,recipes/bundled-en.toml --variant taught-again)
$(EN)/further/trained: $(EN)/taught/trained $(EN)/taught-again/trained $(D_EN)/unlabelled.labels.jsonl
	$(call train,recipes/bundled-en.toml --variant further)

$(ZH)/teacher/trained: recipes/bundled-zh.toml $(TRAINED_ZH) $(D_ZH)/mixed-dev.jsonl | encoders/bert-base-zh
	$(call train,recipes/bundled-zh.toml --variant teacher)
$(ZH)/trained: $(ZH)/teacher/trained | encoders/roformer-small-zh
	$(call train,recipes/bundled-zh.toml)
$(ZH)/seed-%/trained: $(ZH)/trained
	$(call train,recipes/bundled-zh.toml --variant seed-$*)

# The model to ship (in English the one taught by three, in Chinese the mean of the seeds), its decoding and confidence,
# its export in 4 or 8 bits, that one's scores, and the card that has them.
$(EN)/uncalibrated: $(EN)/further/trained
	rm -rf $(@D)/final
	cp -r $(EN)/further/model $(@D)/final
	touch $@
$(ZH)/uncalibrated: $(patsubst %,$(ZH)/seed-%/trained,1 2 3)
	rm -rf $(@D)/final
	$(PYTHON) recipes/average.py $(@D)/final $(patsubst %/trained,%/model,$^)
	touch $@
$(D_EN)/confidence.jsonl: $(D_EN)/held.jsonl $(D_EN)/authored-held.jsonl \
  $(patsubst %,$(DATA)/wild/%.jsonl.gz,cast2021 ikat2023_test mtrag_dev coqar_sample)
	$(PYTHON) -m recipes.confidence $(DATA) $(wordlist 1,2,$^) $@
$(EN)/calibrated: $(EN)/uncalibrated $(D_EN)/confidence.jsonl
	$(UTTERLY) calibrate $(@D)/final $(lastword $^) --device $(DEVICE) --keep-decoding --min-confidence 0.4
	touch $@
$(ZH)/calibrated: $(ZH)/uncalibrated $(D_ZH)/dev.jsonl
	$(UTTERLY) calibrate $(@D)/final $(lastword $^) --device $(DEVICE) --jobs $(JOBS) --min-confidence 0.4
	touch $@
$(EN)/onnx: BITS = 4
$(ZH)/onnx: BITS = 8
runs/bundled/%/onnx: runs/bundled/%/calibrated recipes/bundled/%.json
	$(UTTERLY) export $(@D)/final $(@D)/exported --bits $(BITS) --notes recipes/bundled/$*.json --force
	touch $@
$(EN)/predictions.jsonl: $(EN)/onnx $(D_EN)/canard-test.jsonl
$(ZH)/predictions.jsonl: $(ZH)/onnx $(D_ZH)/rewrite-test.jsonl
runs/bundled/%/predictions.jsonl:
	$(UTTERLY) rewrite --model $(@D)/exported --preset eager --input $(lastword $^) --output $@ --force
$(EN)/scores.json: $(EN)/predictions.jsonl $(D_EN)/canard-test.jsonl
$(ZH)/scores.json: $(ZH)/predictions.jsonl $(D_ZH)/rewrite-test.jsonl
runs/bundled/%/scores.json:
	$(UTTERLY) evaluate --predictions $< --references $(lastword $^) --json > $@
$(EN)/card: $(EN)/scores.json recipes/bundled/en.md $(TRAINED_EN) $(D_EN)/unlabelled.labels.jsonl
$(ZH)/card: $(ZH)/scores.json recipes/bundled/zh.md $(TRAINED_ZH)
runs/bundled/%/card:
	$(PYTHON) -m recipes.card $(@D)/exported recipes/bundled/$*.md --scores $< --data $(filter %.jsonl,$^)
	touch $@

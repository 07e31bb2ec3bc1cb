# Every command sets up what it needs first and says what it does.
SHELL := bash
.DEFAULT_GOAL := help
.PHONY: help demo test test-long test-real up verify down upgrade doctor

help: ## this list
	@echo "talos-fleet: Talos Linux clusters as one Pulumi program"
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile

node_modules/.package-lock.json: package-lock.json
	@echo "installing npm packages (npm ci) ..."
	@npm ci --no-audit --no-fund --loglevel=error
	@touch $@

demo: node_modules/.package-lock.json ## rehearse both stacks on loopback: no Docker, token or cluster needed
	@npx tsx rehearsal/main.ts demo

test: node_modules/.package-lock.json ## format, lint, types, unused code, unit and engine tests, rehearsals
	@npx tsx test/checks.ts

test-long: node_modules/.package-lock.json ## the tests that take longer than five minutes
	@npx tsx test/checks.ts --long

test-real: node_modules/.package-lock.json ## the lab's life on the Docker engine at hand: STACK_FILE=Pulumi.NAME.yaml, ENGINE_RESTART='command'
	@npx tsx test/real/main.ts

up: node_modules/.package-lock.json ## the lab on Docker: pulumi up --stack lab, everything kept under .lab/
	@bin/lab up

verify: node_modules/.package-lock.json ## check the running lab
	@bin/lab verify

down: node_modules/.package-lock.json ## remove everything that make up made
	@bin/lab down

upgrade: node_modules/.package-lock.json ## not built yet: Kubernetes upgrades node by node
	@bin/lab upgrade "$(K8S)"

doctor: ## what is installed, what is missing, how to get it
	@bin/doctor

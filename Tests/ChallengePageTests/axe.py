"""axe-core, which looks for barriers on a page."""

import importlib.util
import pathlib

PACKAGE = pathlib.Path(importlib.util.find_spec("axe_playwright_python").origin)
AXE = PACKAGE.with_name("axe.min.js").read_text()
RUN_AXE = """
const done = arguments[arguments.length - 1];
axe.run(document, {
    resultTypes: ['violations', 'incomplete'], preload: false, iframes: false,
    rules: { 'target-size': { enabled: true } },
}).then(
    ({ violations, incomplete, passes }) => done({ passes: passes.length, found: [
        ...violations, ...incomplete.filter(({ id }) => id === 'color-contrast'),
    ].map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`) }),
    (error) => done({ passes: 0, found: [String(error)] }));
"""

"""The workbench without a server: Python (Pyodide) and clingo (clingo-wasm) in a worker of the page."""

#!/usr/bin/env python3
"""Makes the files in this folder again from the packages that MANIFEST.toml names.

Needs Python 3 with pip, nothing else:   python3 data/make_data.py [FOLDER]
Writes into FOLDER (default: this folder) and prints the sha256 of each file.
"""
import csv, hashlib, io, pathlib, subprocess, sys, tarfile, tempfile, zipfile

COVARIATES = """pldel birattnd brstate stoccfipb mager8 ormoth mrace meduc6 dmar mplbir mpre5 adequacy orfath
frace birmon gestat10 csex anemia cardiac lung diabetes herpes hydra hemo chyper phyper eclamp incervix pre4000
preterm renal rh uterine othermr tobacco alcohol cigar6 drink5 crace data_year nprevistq dfageq feduc6 dlivord_min
dtotord_min brstate_reg stoccfipb_reg mplbir_reg""".split()


def download(folder, *args):
    subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "-d", folder, *args], check=True)
    return next(pathlib.Path(folder).iterdir())


def member(names, ending):
    return next(name for name in names if name.endswith(ending))


def twins(out):
    """Two rows a pair (lighter: treatment 0, heavier: 1) become one row with both outcomes."""
    with tempfile.TemporaryDirectory() as folder:
        source = download(folder, "--no-binary", ":all:", "metalearners==0.13.0")
        with tarfile.open(source) as tar:
            inner = tar.extractfile(member(tar.getnames(), "data/twins.zip")).read()
    with zipfile.ZipFile(io.BytesIO(inner)) as archive:
        text = archive.read(member(archive.namelist(), "twins.csv")).decode()
    rows = list(csv.DictReader(io.StringIO(text)))
    whole = lambda cell: "" if cell == "" else str(int(float(cell)))
    with open(out / "twins_pairs.csv", "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COVARIATES + ["y0", "y1"])
        for lighter, heavier in zip(rows[::2], rows[1::2]):
            assert (lighter["treatment"], heavier["treatment"]) == ("0", "1"), "rows come in pairs"
            cells = [lighter[name] for name in COVARIATES]
            assert cells == [heavier[name] for name in COVARIATES], "twins share their covariates"
            writer.writerow(map(whole, cells + [lighter["outcome"], heavier["outcome"]]))


def ihdp(out):
    """Hill's covariates and treatment, as the package ships them."""
    with tempfile.TemporaryDirectory() as folder:
        source = download(folder, "--only-binary", ":all:", "econml==0.17.0")
        with zipfile.ZipFile(source) as wheel:
            (out / "ihdp_sim.csv").write_bytes(wheel.read("econml/data/ihdp/sim.csv"))


if __name__ == "__main__":
    out = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else __file__).resolve()
    out = out.parent if out.is_file() else out
    for make, name in [(twins, "twins_pairs.csv"), (ihdp, "ihdp_sim.csv")]:
        make(out)
        print(hashlib.sha256((out / name).read_bytes()).hexdigest(), name)

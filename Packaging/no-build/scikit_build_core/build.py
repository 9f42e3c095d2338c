"""Stands in for the build system of a package from PyPI, for Packaging/web.

pip needs the version of a package. With this module it reads the version, runs no code of the package, and
downloads no build system.
"""

import email
import os
import shutil


def prepare_metadata_for_build_wheel(folder, settings=None):
    with open("PKG-INFO", encoding="utf-8") as file:
        package = email.message_from_file(file)
    name = "%s-%s.dist-info" % (package["Name"].replace("-", "_"), package["Version"])
    os.mkdir(os.path.join(folder, name))
    shutil.copy("PKG-INFO", os.path.join(folder, name, "METADATA"))
    return name

import Foundation
import TestSupport
import Testing

@Suite struct `The package of countersign-acs` {
    @Test(
        .enabled("unprivileged user namespaces are needed to mount other folders") {
            try SmallDisk.mayBeMounted.get()
        }
    )
    func `makes folders apart from those of a verifier, and prints the next commands`() throws {
        let script = """
            mount -t tmpfs -o mode=755 tmpfs /etc
            mount -t tmpfs -o mode=755 tmpfs /var/lib
            mount -t tmpfs -o mode=755 tmpfs /run

            echo 'countersign-acs:x:0:0::/:/bin/sh' >/etc/passwd
            echo 'countersign-acs:x:0:' >/etc/group
            mkdir /run/bin
            ln -s /bin/true /run/bin/systemd-sysusers
            PATH=/run/bin:$PATH

            sh "$1" configure
            cd /etc/countersign-acs
            "$2" init --config countersign-acs.json | grep created
            sh "$1" configure
            stat -c '%a %n' /etc/* /var/lib/* | grep countersign
            """
        let packaging = URL(filePath: #filePath).appending(path: "../../../Packaging").standardized
        let result = try SmallDisk.run(
            script,
            packaging.path + "/debian/countersign-acs/postinst",
            ACSFolder.program
        )
        #expect(result.errorOutput == "")
        #expect(
            result.output == """
                To create an ACS, run:
                    sudo -u countersign-acs countersign-acs init
                After the configuration is complete, start it:
                    sudo systemctl enable --now countersign-acs
                created  countersign-acs.json
                created  acs-keys/encryption
                created  acs-keys/issuer-token
                created  the store /var/lib/countersign-acs/acs.db
                700 /etc/countersign-acs
                700 /var/lib/countersign-acs

                """
        )
    }
}

/// Keeps GnuTLS from starting in this process.
///
/// Only LDAP and RTMP use it, of which libcurl and libpq load libraries, and no program here uses
/// either. Its start would take a megabyte of memory. GnuTLS looks for a symbol of this name, so the
/// linker must export it.
@_cdecl("_gnutls_global_init_skip")
package func skipsStartOfGnuTLS() -> CInt { 1 }

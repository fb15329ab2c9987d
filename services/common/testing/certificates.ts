// Separate from index.ts because the library takes long to load and few tests need it.
export { type Authority, type Certificate, createAuthority } from './authority.ts'
export { type MountedCertificate, mountCertificate } from './mount-certificate.ts'

/**
 * The browser files of this package contain everything that they need; the gateway serves them, and Node loads none. Its
 * dependencies would be 270 packages.
 */
const prebuilt = '@scalar/api-reference'

export const hooks = {
  readPackage: (manifest) => (manifest.name === prebuilt ? { ...manifest, dependencies: {} } : manifest),
}

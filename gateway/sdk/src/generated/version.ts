// Generated from package.json. Do not edit.

export const version = '0.1.0'

/** What responses contain in place of a secret value. In an update it keeps the stored value. */
export const maskedValue = '********'

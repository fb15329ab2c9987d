/** The language that the shopper chose. */
export function chosenLanguage(cookies: string | undefined): string | undefined {
  return /(?:^|;\s*)__Host-language=([a-z]{2})(?:;|$)/.exec(cookies ?? '')?.[1]
}

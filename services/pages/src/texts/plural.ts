/**
 * The form of a text that goes with a count (CLDR plural categories).
 * @param language its code: "pl"
 * @param forms by category; `other` stands in for a missing one
 */
export function pluralForm(language: string, count: number, forms: PluralForms): string {
  let rules = rulesOf.get(language)
  if (!rules) {
    rules = new Intl.PluralRules(language)
    rulesOf.set(language, rules)
  }
  const category = rules.select(count)
  return (category in forms ? forms[category as keyof PluralForms] : undefined) ?? forms.other
}

interface PluralForms {
  one?: string
  few?: string
  other: string
}

const rulesOf = new Map<string, Intl.PluralRules>()

import { Game, type Store } from '@storekeep/proto/stores/v1/store'
import { html } from 'hono/html'
import type { PageRequest } from '../http/route.ts'
import { storePath, withQuery } from '../store/links.ts'
import type { Html } from './html.ts'
import { notice } from './parts.ts'
import { field } from './product-page.ts'

/** The form with which a shopper signs in, as the game of the store allows it. */
export function signInPage({ request, store, back, problem, name }: SignInPage): Html {
  const { store: texts } = request.language.texts
  return html`<section class="card message">
<h1>${texts.signIn}</h1>
<p>${texts.signInText}</p>
${problem === 'steam' ? notice(texts.steamFailed, 'error') : ''}
${
  store.game === Game.RUST
    ? html`<p><a class="button" href="${withQuery(storePath(request, store, '/sign-in/steam'), { back })}">${texts.steamButton}</a></p>
<p class="hint">${texts.steamHint}</p>`
    : html`<form method="post" action="${storePath(request, store, '/sign-in')}" data-once>
<input type="hidden" name="back" value="${back}">
${field({
  id: 'name',
  label: texts.minecraftName,
  hint: store.game === Game.MINECRAFT_GEYSER ? texts.bedrockHint(store.bedrockPrefix) : texts.minecraftHint,
  problem: problem === 'name' ? texts.nameInvalid : undefined,
  input: (attributes) =>
    html`<input id="name" name="name" value="${name}" required maxlength="64" autocomplete="username" autocapitalize="none" spellcheck="false"${attributes}>`,
})}
<button class="button" type="submit">${texts.signIn}</button>
</form>`
}
<p class="links"><a class="quiet" href="${back}">${texts.cancel}</a></p>
</section>`
}

export interface SignInPage {
  request: PageRequest
  store: Store
  /** The path to which the shopper returns. */
  back: string
  problem: SignInProblem | undefined
  /** What the shopper has typed before. */
  name: string
}

export type SignInProblem = 'name' | 'steam'

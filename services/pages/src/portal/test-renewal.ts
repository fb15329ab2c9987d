import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { errors } from '@storekeep/common/errors'
import { isTestRejected } from '../http/is-test-rejected.ts'
import { enforceLimit } from '../http/limits.ts'
import { type Handler, redirect } from '../http/route.ts'
import { signedOut } from './enter-portal.ts'
import { loadSubscriptionKey, subscriptionPath } from './load-subscription.ts'

/** Decides the renewal of a subscription of the test provider. */
export const decideTestRenewal: Handler = async (ctx, request) => {
  const loaded = await loadSubscriptionKey(ctx, request)
  if (loaded === undefined) return signedOut(request)
  const { portal, key } = loaded
  enforceLimit(ctx, 'form-token', portal.key.secret, ctx.config.limits.formTokenPerMinute)
  const form = await request.form()
  const seen = form.get('period_end') ?? ''
  if (!/^\d{1,15}$/.test(seen)) throw errors.badRequest('The form is incomplete.')
  const decision = { currentPeriodEnd: timestampFromMs(Number(seen)), approve: form.get('decision') === 'approve' }
  const isRejected = await isTestRejected(
    ctx.subscriptions.advanceTestSubscription({ ...key, ...decision }, portal.call),
  )
  return redirect(subscriptionPath(request, key.subscriptionId, isRejected ? 'test-rejected' : undefined))
}

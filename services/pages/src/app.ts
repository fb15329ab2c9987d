import { errors } from '@storekeep/common/errors'
import { createRouter, type HttpApp, hstsHeader } from '@storekeep/common/http'
import type { PagesContext } from './context.ts'
import { commonHeaders } from './http/common-headers.ts'
import { faultReply } from './http/fault-reply.ts'
import type { PageRequest, SiteName } from './http/route.ts'
import { runPage } from './http/run-page.ts'
import { send } from './http/send.ts'
import { SiteRequest } from './http/site-request.ts'
import { routes } from './routes.ts'

/** Everything that the sites serve. Any other host gets nothing, so no page depends on that header. */
export function createApp(ctx: PagesContext): HttpApp<SiteRequest> {
  // The longer path first: one site may be below the other.
  const sites = siteNames
    .map((name) => ({ site: ctx.config.sites[name], route: routerOf(ctx, name) }))
    .sort((a, b) => b.site.path.length - a.site.path.length)
  const hsts = hstsHeader(ctx.config)
  return {
    createRequest: (req, res) => new SiteRequest(req, res, ctx),
    setHeaders({ res }) {
      for (const [name, value] of Object.entries(commonHeaders)) res.setHeader(name, value)
      if (hsts !== undefined) res.setHeader('strict-transport-security', hsts)
    },
    route(request, fail) {
      const { host } = request.req.headers
      const [path = ''] = (request.req.url ?? '').split('?', 1)
      const found = sites.find(({ site }) => host === site.host && isBelow(path, site.path))
      if (found === undefined) throw notFound()
      request.site = found.site
      found.route(request as PageRequest, fail)
    },
    sendFault: async (request, fault) => send(request, await faultReply(ctx.config, request, fault)),
    renderRejection: ({ message }) => ({ type: 'text/plain', body: `${message}\n` }),
  }
}

const siteNames: readonly SiteName[] = ['checkout', 'portal', 'store']

function routerOf(ctx: PagesContext, name: SiteName) {
  const ofSite = routes.filter(({ site }) => site === name)
  return createRouter<PageRequest>(
    ofSite.map((route) => ({ ...route, handle: runPage(ctx, route) })),
    { prefix: ctx.config.sites[name].path, notFound },
  )
}

function isBelow(path: string, prefix: string): boolean {
  return path === prefix || path.startsWith(`${prefix}/`)
}

const notFound = () => errors.notFound('page')

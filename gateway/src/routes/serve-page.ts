import type { Express, RequestHandler } from 'express'
import { requestContextOf } from '../http/request-context.ts'
import { methodNotAllowed } from '../middleware/not-found.ts'

/** Serves a GET-only path that is not part of the API. */
export function servePage(app: Express, path: string, page: RequestHandler): void {
  const setRoute: RequestHandler = (_req, res, next) => {
    requestContextOf(res).route = path
    next()
  }
  app
    .route(path)
    .all(setRoute)
    .get(page)
    .all(methodNotAllowed(['GET', 'HEAD']))
}

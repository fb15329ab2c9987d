import { expect, it } from 'vitest'
import { fillTemplate } from './fill-template.ts'

const template = '/v1/stores/{storeId}/bans/{id}'

it('takes the store from the path and the id from the body', () => {
  expect(fillTemplate(template, { storeId: '7' }, { id: '8', storeId: '9' })).toBe('/v1/stores/7/bans/8')
})

it('throws when a value is missing', () => {
  expect(() => fillTemplate(template, { storeId: '7' }, {})).toThrow('{id}')
})

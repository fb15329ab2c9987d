import { imageKey } from '@storekeep/proto/conventions/image-address'
import { expect, it } from 'vitest'
import { namedImages } from './named-image.ts'

it('each web address is one image; others are omitted', () => {
  const url = 'https://cdn.example/a.png'
  const others = [
    undefined,
    '',
    'data:image/png;base64,AAAA',
    '/a.png',
    'file:///etc/passwd',
    `${url}?${'x'.repeat(2100)}`,
  ]
  expect(namedImages([url, ...others, url])).toEqual([{ key: imageKey(url), url }])
})

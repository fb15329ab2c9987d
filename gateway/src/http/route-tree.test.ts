import { describe, expect, it } from 'vitest'
import { createRouteTree } from './route-tree.ts'

describe('a route tree', () => {
  const paths = ['/a', '/a/{x}', '/a/b', '/a/b/c', '/a/{x}/d', '/a/{x}/{y}/e']
  const find = createRouteTree(new Map(paths.map((path) => [path, path])))

  it.each([
    ['/a', '/a', {}],
    ['/a/1', '/a/{x}', { x: '1' }],
    ['/a/b', '/a/b', {}],
    ['/a/b/c', '/a/b/c', {}],
    ['/a/b/d', '/a/{x}/d', { x: 'b' }],
    ['/a/b/c/e', '/a/{x}/{y}/e', { x: 'b', y: 'c' }],
    ['/a/%2F%C3%BC', '/a/{x}', { x: '/ü' }],
    ['/a/__proto__', '/a/{x}', { x: '__proto__' }],
  ])('finds the route of %s', (path, route, params) => {
    expect(find(path)).toEqual({ route, params })
  })

  it.each(['', '/', 'a', '/A', '/a/', '/a//d', '//a', '/a/b/c/', '/a/1/2', '/b'])('finds none for %j', (path) => {
    expect(find(path)).toBeUndefined()
  })

  it('rejects a parameter that cannot be decoded', () => {
    expect(() => find('/a/%ff')).toThrow(URIError)
  })
})

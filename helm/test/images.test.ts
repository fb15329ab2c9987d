import { expect, it } from 'vitest'
import { components } from './src/code.ts'
import { evaluate } from './src/evaluate.ts'
import { describeWithHelm } from './src/helm.ts'
import { render } from './src/render.ts'

const images = [...components, 'admin-tools']

const imagesExpression = `list ${images
  .map((name) => `(include "storekeep.componentImage" (dict "root" $root "name" "${name}"))`)
  .join(' ')}`

describeWithHelm('the Deployments', async () => {
  const usual = await render('default')
  const ha = await render('ha')

  it('run separate images, named by chart version, tag, repository, registry and mirror', async () => {
    const variants: [values: object, before: string, tag: string][] = [
      [{}, 'storekeep/', '0.1.0'],
      [{ image: { tag: '1.2.3' } }, 'storekeep/', '1.2.3'],
      [{ image: { repository: 'shops/storekeep' } }, 'shops/storekeep/', '0.1.0'],
      [{ image: { registry: 'images.example.org' } }, 'images.example.org/storekeep/', '0.1.0'],
      [{ global: { imageRegistry: 'mirror.example.org' } }, 'mirror.example.org/storekeep/', '0.1.0'],
    ]
    expect(await evaluate(variants.map(([values]) => ({ values, expression: imagesExpression })))).toEqual(
      variants.map(([, before, tag]) => images.map((name) => `${before}${name}:${tag}`)),
    )
  })

  it('use the image digest of a single component instead of the tag', async () => {
    const image = { digest: `sha256:${'0'.repeat(64)}` }
    const valuesFor = (name: string) => {
      if (name === 'gateway' || name === 'pages') return { [name]: { image } }
      return name === 'admin-tools' ? { adminTools: { image } } : { services: { [name]: { image } } }
    }
    const found = await evaluate(
      images.map((pinned) => ({
        values: { image: { tag: '1.2.3' }, ...valuesFor(pinned) },
        expression: imagesExpression,
      })),
    )
    const versionOf = (name: string, pinned: string) => (name === pinned ? `@${image.digest}` : ':1.2.3')
    expect(found).toEqual(images.map((pinned) => images.map((name) => `storekeep/${name}${versionOf(name, pinned)}`)))
  })

  it('run these images', async () => {
    const expected = await evaluate([
      { expression: imagesExpression },
      { scenario: 'ha', expression: imagesExpression },
    ])
    expect([usual, ha].map((manifest) => images.map((name) => manifest.container(name).image))).toEqual(expected)
  })
})

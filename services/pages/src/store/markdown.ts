import MarkdownIt from 'markdown-it'
import sanitizeHtml from 'sanitize-html'

/** Without raw HTML, and without images, which would be loaded from other hosts. */
const markdown = new MarkdownIt({ html: false, linkify: true, maxNesting: 20 }).disable(['image', 'table'])

/**
 * Renders the description of a product, which the store has written. The result is safe to embed: it contains only the tags below,
 * and links without script.
 */
export function renderMarkdown(text: string): string {
  return sanitizeHtml(markdown.render(text), {
    allowedTags: ['p', 'br', 'hr', 'h2', 'ul', 'ol', 'li', 'strong', 'em', 's', 'blockquote', 'code', 'pre', 'a'],
    allowedAttributes: { a: ['href', 'rel', 'target'], ol: ['start'] },
    allowedSchemes: ['https', 'http', 'mailto'],
    allowProtocolRelative: false,
    transformTags: {
      // The page has its own first heading. Deeper ones may skip levels, which readers of outlines would notice.
      ...Object.fromEntries(['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((tag) => [tag, 'h2'])),
      a: (tagName, attribs) => ({
        tagName,
        attribs: { ...attribs, target: '_blank', rel: 'nofollow noopener noreferrer' },
      }),
    },
  })
}

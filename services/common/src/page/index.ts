export { cutPage, type Page, type PagePlan, pageCondition, pageOrder, planPage, readInParts } from './page.ts'

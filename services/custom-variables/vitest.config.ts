import { serviceProject } from '@storekeep/common/testing/project'

export default serviceProject('custom-variables')

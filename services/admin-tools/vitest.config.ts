import { serviceProject } from '@storekeep/common/testing/project'

export default serviceProject('admin-tools')

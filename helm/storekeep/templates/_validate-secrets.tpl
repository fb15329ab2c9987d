{{- define "storekeep.secretErrors" -}}
{{- $errors := concat
  (include "storekeep.missingSecretErrors" . | fromJsonArray)
  (include "storekeep.databaseUrlErrors" . | fromJsonArray)
  (include "storekeep.serverPortErrors" . | fromJsonArray) -}}
{{- range $path, $entries := include "storekeep.secretEntries" . | fromJson -}}
{{- range $setting, $entry := $entries -}}
{{- if and $entry.value $entry.existingSecret -}}
{{- $errors = append $errors (printf "%s.%s has both value and existingSecret; remove one of them." $path $setting) -}}
{{- end -}}
{{- $errors = concat $errors (include "storekeep.partErrors" (dict "path" (print $path "." $setting) "setting" $setting "entry" $entry) | fromJsonArray) -}}
{{- if and $entry.key (not $entry.existingSecret) -}}
{{- $errors = append $errors (printf "%s.%s has a key but no existingSecret; set existingSecret or remove key." $path $setting) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- $ids := list -}}
{{- range splitList "," (dig "secrets" "TOKEN_KEYS" "value" "" .Values.services.customers) -}}
{{- $ids = append $ids (splitList ":" . | first | trim) -}}
{{- end -}}
{{- if ne (len $ids) (len (uniq $ids)) -}}
{{- $errors = append $errors (printf "services.customers.secrets.TOKEN_KEYS uses an id twice: %s; give each key its own." (join ", " $ids)) -}}
{{- end -}}
{{- if and .Values.existingSecret .Values.generateSecrets -}}
{{- $errors = append $errors "existingSecret and generateSecrets are mutually exclusive; remove one of them." -}}
{{- end -}}
{{- $errors | toJson -}}
{{- end -}}

{{/* Errors of a Secret with a user and a password instead of a URL. Takes path, setting and entry. */}}
{{- define "storekeep.partErrors" -}}
{{- $errors := list -}}
{{- $entry := .entry -}}
{{- $isDatabase := contains "DATABASE" .setting -}}
{{- $given := list -}}
{{- range list "userKey" "passwordKey" "host" "hostKey" "port" "portKey" "database" "databaseKey" "parameters" "tls" "cluster" "sentinelMaster" "sentinelUserKey" "sentinelPasswordKey" -}}
{{- if get $entry . -}}
{{- $given = append $given . -}}
{{- end -}}
{{- end -}}
{{- if and $given (not $entry.passwordKey) -}}
{{- $errors = append $errors (printf "%s has %s but no passwordKey; set it to the key of the password, or remove %s." .path (first $given) (first $given)) -}}
{{- else if $given -}}
{{- if not $entry.existingSecret -}}
{{- $errors = append $errors (printf "%s has a passwordKey but no existingSecret; set existingSecret." .path) -}}
{{- end -}}
{{- if $entry.key -}}
{{- $errors = append $errors (printf "%s has both key, for a whole URL, and passwordKey, for its parts; remove one of them." .path) -}}
{{- end -}}
{{- if not (or $entry.host $entry.hostKey) -}}
{{- $errors = append $errors (printf "%s has no host; set host, or hostKey to the key of the host." .path) -}}
{{- end -}}
{{- if and (ne .setting "REDIS_URL") (not $entry.userKey) -}}
{{- $errors = append $errors (printf "%s has no userKey; set it to the key of the user." .path) -}}
{{- end -}}
{{- if ne .setting "REDIS_URL" -}}
{{- range list "cluster" "sentinelMaster" "sentinelUserKey" "sentinelPasswordKey" -}}
{{- if get $entry . -}}
{{- $errors = append $errors (printf "%s has %s, which only secrets.REDIS_URL can have; remove it." $.path .) -}}
{{- end -}}
{{- end -}}
{{- else if and $entry.cluster $entry.sentinelMaster -}}
{{- $errors = append $errors (printf "%s has both cluster and sentinelMaster; remove one of them." .path) -}}
{{- else if and (contains "," ($entry.host | default "")) (not $entry.cluster) (not $entry.sentinelMaster) -}}
{{- $errors = append $errors (printf "%s lists several hosts; set sentinelMaster if they are sentinels, or cluster if they are nodes of a Cluster." .path) -}}
{{- end -}}
{{- range list "sentinelUserKey" "sentinelPasswordKey" -}}
{{- if and (eq $.setting "REDIS_URL") (get $entry .) (not $entry.sentinelMaster) -}}
{{- $errors = append $errors (printf "%s has %s but no sentinelMaster; set it to the name of the master, or remove %s." $.path . .) -}}
{{- end -}}
{{- end -}}
{{- if and (eq .setting "REDIS_URL") $entry.sentinelUserKey (not $entry.sentinelPasswordKey) -}}
{{- $errors = append $errors (printf "%s has sentinelUserKey but no sentinelPasswordKey; set it to the key of the sentinels' password." .path) -}}
{{- end -}}
{{- if and $isDatabase (not (or $entry.database $entry.databaseKey)) -}}
{{- $errors = append $errors (printf "%s has no database; set database, or databaseKey to the key of its name." .path) -}}
{{- end -}}
{{- end -}}
{{- $errors | toJson -}}
{{- end -}}

{{/* All secret settings of the values by their path: `secrets`, `gateway.secrets`, `services.<name>.secrets`. */}}
{{- define "storekeep.secretEntries" -}}
{{- $entries := dict "secrets" .Values.secrets "gateway.secrets" (.Values.gateway.secrets | default dict) -}}
{{- range $name, $values := .Values.services -}}
{{- $_ := set $entries (printf "services.%s.secrets" $name) ($values.secrets | default dict) -}}
{{- end -}}
{{- $entries | toJson -}}
{{- end -}}

{{/* One line for each missing setting, even if several components need it. */}}
{{- define "storekeep.missingSecretErrors" -}}
{{- $errors := list -}}
{{- $missing := dict -}}
{{- range $name := include "storekeep.componentNames" . | fromJsonArray -}}
{{- range $setting := (include "storekeep.component" (dict "root" $ "name" $name) | fromJson).secretSettings -}}
{{- $source := include "storekeep.secretSource" (dict "root" $ "name" $name "setting" $setting) | fromJson -}}
{{- if eq $source.from "missing" -}}
{{- $_ := set $missing $setting (append (get $missing $setting | default list) $name) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- range $setting, $names := $missing -}}
{{- if eq $setting "CALL_KEYS" -}}
{{- $errors = append $errors "secrets.CALL_SECRET is missing, without which services cannot tell who calls them: set existingSecret, secrets.CALL_SECRET.value or secrets.CALL_SECRET.existingSecret, or set tls.enabled to true." -}}
{{- else if has $setting (list "NATS_URL" "REDIS_URL") -}}
{{- $errors = append $errors (printf "secrets.%s is missing: set existingSecret, secrets.%s.value or secrets.%s.existingSecret." $setting $setting $setting) -}}
{{- else if eq (len $names) 1 -}}
{{- $path := printf "%s.secrets.%s" (include "storekeep.valuesPath" (first $names)) $setting -}}
{{- $errors = append $errors (printf "%s is missing: set existingSecret, %s.value or %s.existingSecret." $path $path $path) -}}
{{- else -}}
{{- $path := printf "services.<name>.secrets.%s" $setting -}}
{{- $errors = append $errors (printf "%s is missing for %s: set existingSecret, %s.value or %s.existingSecret." $path (join ", " $names) $path $path) -}}
{{- end -}}
{{- end -}}
{{- $errors | toJson -}}
{{- end -}}

{{/* The role, host and password of a database URL, as JSON. The pattern never fails, unlike a parser, whose error would contain the password. */}}
{{- define "storekeep.databaseRole" -}}
{{- $pattern := "^[a-z]+://(?:([^:@/]*)(?::([^@/]*))?@)?([^/?]*).*$" -}}
{{- dict "role" (regexReplaceAll $pattern . "${1}") "password" (regexReplaceAll $pattern . "${2}") "host" (regexReplaceAll $pattern . "${3}") | toJson -}}
{{- end -}}

{{/* Each service needs a separate role: rights on schemas belong to roles. */}}
{{- define "storekeep.databaseUrlErrors" -}}
{{- $errors := list -}}
{{- $owners := dict -}}
{{- $admin := include "storekeep.databaseRole" (.Values.secrets.DATABASE_ADMIN_URL.value | default "") | fromJson -}}
{{- if and .Values.secrets.DATABASE_ADMIN_URL.value (not $admin.password) -}}
{{- $errors = append $errors "secrets.DATABASE_ADMIN_URL has no password; use a URL such as postgres://admin:password@host:5432/postgres." -}}
{{- end -}}
{{- range $name := include "storekeep.ownServiceNames" . | fromJsonArray -}}
{{- $path := printf "services.%s.secrets.DATABASE_URL" $name -}}
{{- $source := include "storekeep.secretSource" (dict "root" $ "name" $name "setting" "DATABASE_URL") | fromJson -}}
{{- $owner := printf "%s/%s" $source.secret $source.key -}}
{{- if eq $source.from "value" -}}
{{- $url := include "storekeep.databaseRole" $source.value | fromJson -}}
{{- $owner = printf "%s@%s" $url.role $url.host -}}
{{- if not $url.password -}}
{{- $errors = append $errors (printf "%s has no password; use a URL such as postgres://storekeep_%s:password@host:5432/storekeep." $path (replace "-" "_" $name)) -}}
{{- end -}}
{{- if and $url.role (eq $url.role $admin.role) (eq $url.host $admin.host) -}}
{{- $errors = append $errors (printf "%s has the role %s of secrets.DATABASE_ADMIN_URL, which may read all schemas; give the service its own role, such as storekeep_%s." $path $url.role (replace "-" "_" $name)) -}}
{{- end -}}
{{- end -}}
{{- if and (has $source.from (list "value" "reference")) (hasKey $owners $owner) -}}
{{- $errors = append $errors (printf "%s has the same role as services.%s, so each could read the other's schema; give the service its own role, such as storekeep_%s." $path (get $owners $owner) (replace "-" "_" $name)) -}}
{{- end -}}
{{- $_ := set $owners $owner $name -}}
{{- end -}}
{{- $errors | toJson -}}
{{- end -}}

{{/* The network policies allow one port of each server; other ports would time out. */}}
{{- define "storekeep.serverPortErrors" -}}
{{- $errors := list -}}
{{- $network := .Values.networkPolicy -}}
{{- $servers := dict "DATABASE_URL" "postgres" "DATABASE_REPLICA_URL" "postgres" "MIGRATIONS_DATABASE_URL" "postgres" "NATS_URL" "nats" "REDIS_URL" "redis" -}}
{{- $found := dict -}}
{{- range $path, $entries := include "storekeep.secretEntries" . | fromJson -}}
{{- range $setting, $server := $servers -}}
{{- $entry := get $entries $setting | default dict -}}
{{- $defaultPort := include "storekeep.defaultPort" (dict "server" $server "entry" $entry) -}}
{{- $isSentinel := eq $defaultPort "26379" -}}
{{- $field := eq $setting "MIGRATIONS_DATABASE_URL" | ternary "migrationsPort" ($isSentinel | ternary "sentinelPort" "port") -}}
{{- $allowed := get (get $network $server) $field | default ($isSentinel | ternary "not set" (get $network $server).port) -}}
{{- $isFixed := and $entry.passwordKey (not $entry.portKey) -}}
{{- if or $entry.value $isFixed -}}
{{- $hosts := regexReplaceAll "^[a-z+]+://([^@/]*@)?([^/?]*).*$" ($entry.value | default "") "${2}" -}}
{{- if $isFixed -}}
{{- $hosts = printf ":%v" ($entry.port | default $defaultPort) -}}
{{- end -}}
{{- range splitList "," $hosts -}}
{{- $port := regexFind ":[0-9]+$" . | trimPrefix ":" | default $defaultPort -}}
{{- if and (ne $port (toString $allowed)) (not (get $.Values.bundled $server).enabled) -}}
{{- $key := printf "networkPolicy.%s.%s is %v, but %%s uses port %s; traffic to other ports is denied, so set networkPolicy.%s.%s to %s." $server $field $allowed $port $server $field $port -}}
{{- $_ := set $found $key (append (get $found $key | default list) (printf "%s.%s" $path $setting) | uniq) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if and $network.enabled (not $network.extraEgress) -}}
{{- range $message, $paths := $found -}}
{{- $others := sub (len $paths) 1 | int -}}
{{- $errors = append $errors (printf $message (printf "%s%s" (sortAlpha $paths | first) (gt $others 0 | ternary (printf " (and %d more)" $others) ""))) -}}
{{- end -}}
{{- end -}}
{{- $errors | toJson -}}
{{- end -}}

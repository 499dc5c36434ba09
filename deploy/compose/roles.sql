-- Run once by the image, as the superuser, when the server's data are made: the database, the role that owns its tables
-- (the migration job runs as it) and the role that config runs as, which the job gives its rights.
\set owner_password `cat /run/secrets/database/owner-password`
\set config_password `cat /run/secrets/database/config-password`
CREATE ROLE form_webhooks LOGIN PASSWORD :'owner_password';
CREATE ROLE form_webhooks_config LOGIN PASSWORD :'config_password';
CREATE DATABASE form_webhooks OWNER form_webhooks;

-- name: get_uploads
SELECT upload_id, session_id, label, sha256, size_bytes, format, lines_left_out, create_time_us
FROM uploads WHERE upload_id IN (SELECT value FROM json_each(:ids))

-- name: get_upload_content
SELECT packed FROM uploads WHERE upload_id = :upload_id

-- name: put_upload
INSERT INTO uploads VALUES (
    :upload_id, :session_id, :label, :sha256, :size_bytes, :format, :lines_left_out,
    :create_time_us, :packed)
ON CONFLICT (upload_id) DO UPDATE SET
    session_id = excluded.session_id, label = excluded.label, sha256 = excluded.sha256,
    size_bytes = excluded.size_bytes, format = excluded.format,
    lines_left_out = excluded.lines_left_out, create_time_us = excluded.create_time_us,
    packed = excluded.packed

-- name: list_uploads
SELECT u.upload_id, u.session_id, u.label, u.sha256, u.size_bytes, u.format, u.lines_left_out,
    u.create_time_us
FROM uploads AS u JOIN sessions AS s ON s.session_id = u.session_id
WHERE (u.session_id, u.upload_id) > (:after_session, :after_upload)
  AND VISIBLE(s)
ORDER BY u.session_id, u.upload_id LIMIT :limit

-- name: list_uploads_of_session
SELECT u.upload_id, u.session_id, u.label, u.sha256, u.size_bytes, u.format, u.lines_left_out,
    u.create_time_us
FROM uploads AS u JOIN sessions AS s ON s.session_id = u.session_id
WHERE u.session_id = :session_id AND u.upload_id > :after_upload
  AND VISIBLE(s)
ORDER BY u.upload_id LIMIT :limit
